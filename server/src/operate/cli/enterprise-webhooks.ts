import type { Command } from 'commander';
import { showOrganisation } from '../../enterprise/organisations/actions.ts';
import { listEndpoints } from '../../enterprise/webhooks/actions.ts';
import { deriveEndpointState } from '../../enterprise/webhooks/state.rule.ts';
import { nextNumber } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { writePrivate } from '../../platform/private-file.ts';
import { newWebhookKey, parseWebhookKey } from '../../platform/webhooks/keys.ts';
import { print, printRows } from './output.ts';
import { withDatabase } from './session.ts';

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

/** Adds the commands for webhooks of organisations. */
export const addWebhookCommands = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  enterprise
    .command('webhooks')
    .description('list the endpoints of an organisation, and how far each is')
    .argument('<organisation>', 'its id')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise webhooks acme-news')
    .action(async (organisation: string, { json }: { json?: boolean }) => {
      const states = await withDatabase(env, 'system', ({ db }) => readStates(db, organisation));
      printRows(
        states,
        {
          endpoint: ({ endpoint }) => endpoint,
          url: ({ url }) => url,
          state: ({ state, pausedFor }) => (pausedFor ? `${state}: ${pausedFor}` : state),
          next: ({ next }) => next,
          behind: ({ behind }) => behind,
          blocked: ({ blocked }) => blocked,
          delivered: ({ lastDeliveredAt }) => lastDeliveredAt?.toISOString(),
          problem: ({ lastProblem }) => lastProblem,
        },
        json === true,
      );
    });
};

/** Adds the command that makes the key of webhooks. */
export const addWebhookKeyCommand = (enterprise: Command): void => {
  enterprise
    .command('new-webhook-key')
    .description('make a key that signs webhooks; WEBHOOK_KEY is then the path of its file')
    .argument('<file>', 'where to write it; a file that exists is not overwritten')
    .addHelpText('after', '\nExample:\n  broker-rating admin enterprise new-webhook-key webhook.key')
    .action(async (path: string) => {
      const text = newWebhookKey();
      await writePrivate(path, text);
      print(parseWebhookKey(text).publicKey);
    });
};
