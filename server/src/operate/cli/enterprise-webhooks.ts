import { showOrganisation } from '../../enterprise/organisations/actions.ts';
import { listEndpoints } from '../../enterprise/webhooks/actions.ts';
import { deriveEndpointState } from '../../enterprise/webhooks/state.rule.ts';
import { nextNumber } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { writePrivate } from '../../platform/private-file.ts';
import { newWebhookKey, parseWebhookKey } from '../../platform/webhooks/keys.ts';
import { defineCommand } from './define-command.ts';

/** Returns the state of endpoints, without anything secret. */
const readStates = async (db: Db, organisation: string) => {
  await showOrganisation(db, organisation);
  const [endpoints, next] = [await listEndpoints(db, organisation), await nextNumber(db)];
  return endpoints.map((endpoint) => {
    const { _id, url, kinds, watchlist, position, paused, lastDeliveredAt, failures } = endpoint;
    return {
      endpoint: _id,
      url,
      kinds,
      watchlist,
      state: deriveEndpointState(endpoint),
      next: position.next,
      behind: Math.max(0, next - position.next),
      blocked: position.blocked.filter(({ attempts }) => attempts > 0).length,
      failingSince: position.whole?.since ?? null,
      pausedFor: paused?.why ?? null,
      lastDeliveredAt,
      lastProblem: failures[0]?.problem ?? null,
    };
  });
};

export const webhookCommands = [
  defineCommand({
    words: 'enterprise webhooks',
    description: 'list the endpoints of an organisation, and how far each is',
    rights: { roles: ['admin'], reads: true },
    args: { organisation: { value: '<organisation>', what: 'its id' } },
    example: 'acme-news',
    run: async ({ database }, { organisation }) => {
      const states = await database(({ db }) => readStates(db, organisation));
      return states;
    },
    columns: [
      'endpoint',
      'url',
      ['state', ({ state, pausedFor }) => (pausedFor ? `${state}: ${pausedFor}` : state)],
      'next',
      'behind',
      'blocked',
      ['delivered', 'lastDeliveredAt'],
      ['problem', 'lastProblem'],
    ],
  }),
];

export const webhookKeyCommand = defineCommand({
  words: 'admin enterprise new-webhook-key',
  description: 'make a key that signs webhooks; WEBHOOK_KEY is then the path of its file',
  rights: { open: true },
  args: { file: { value: '<file>', what: 'where to write it; a file that exists is not overwritten' } },
  example: 'webhook.key',
  run: async (_, { file: path }) => {
    const text = newWebhookKey();
    await writePrivate(path, text);
    return parseWebhookKey(text).publicKey;
  },
});
