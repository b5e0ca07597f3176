import type { IncomingMessage } from 'node:http';
import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import { invalidRequest, ProblemError } from '../../http/problem/problem.ts';
import { nextNumber } from '../../ledger/record/read.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { checkUrl, OutboundError, type OutboundRules } from '../../platform/outbound/rules.ts';
import type { Deliver } from '../../platform/webhooks/deliver.ts';
import type { WebhookKey } from '../../platform/webhooks/keys.ts';
import { requireCustomer } from '../access/customer.ts';
import { listWatchedBrokers } from '../watchlists/actions.ts';
import * as actions from './actions.ts';
import { toEndpointView } from './view.ts';

/** The parts of the routes of webhooks. */
export interface WebhookParts {
  readonly rules: OutboundRules;
  readonly keys: readonly WebhookKey[];
  readonly deliver: Deliver;
}

/** A missing endpoint and an endpoint of another organisation get the same answer. */
const requireFound = <T>(found: T | null): T => {
  if (found !== null) return found;
  throw new ProblemError('not_found', 'Your organisation has no such endpoint.');
};

/** @throws ProblemError invalid_request if events could never be sent to an address */
const requireAllowed = (url: string | undefined, rules: OutboundRules): void => {
  if (url === undefined) return;
  try {
    checkUrl(new URL(url), rules);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const detail = `"url" ${error.message}.`;
    throw invalidRequest([{ pointer: '#/url', code: 'not_allowed', detail }]);
  }
};

/** @throws ProblemError not_found if the organisation has no such watchlist */
const requireWatchlist = async (
  db: Db,
  req: Pick<IncomingMessage, 'context'>,
  name: string | null | undefined,
): Promise<void> => {
  if (typeof name === 'string') await listWatchedBrokers(db, requireCustomer(req).organisation, name);
};

/** Waits for an answer of somebody else: neither the deadline nor the place of a request is for that. */
const pauseDeadline = async <T>({ context }: Pick<IncomingMessage, 'context'>, work: () => Promise<T>): Promise<T> => {
  context.deadline?.pause();
  context.place?.giveUp();
  try {
    return await work();
  } finally {
    context.deadline?.resume();
  }
};

/** Routes of webhooks. */
export const webhookRoutes = (db: Db, clock: Clock, { rules, keys, deliver }: WebhookParts) => {
  const toView = async (endpoint: Omit<actions.Endpoint, 'slot'>) =>
    toEndpointView(endpoint, (await nextNumber(db)) - 1, clock());
  const toResponse = async (endpoint: actions.Endpoint | null) =>
    ({ status: 200, body: await toView(requireFound(endpoint)) }) as const;
  return initServer().router(enterpriseContract.webhooks, {
    list: async ({ req }) => {
      const { organisation } = requireCustomer(req);
      return {
        status: 200,
        body: { data: await Promise.all((await actions.listEndpoints(db, organisation)).map(toView)) },
      };
    },
    create: async ({ req, body }) => {
      requireAllowed(body.url, rules);
      await requireWatchlist(db, req, body.watchlist);
      const { endpoint, secret } = await actions.createEndpoint(db, clock, requireCustomer(req), body);
      return { status: 201, body: { secret, endpoint: await toView(endpoint) } };
    },
    keys: async () => ({ status: 200, body: { data: keys.map(({ publicKey: key }) => ({ key })) } }),
    get: async ({ req, params: { id } }) =>
      toResponse(await actions.findEndpoint(db, requireCustomer(req).organisation, id)),
    change: async ({ req, params: { id }, body }) => {
      requireAllowed(body.url, rules);
      await requireWatchlist(db, req, body.watchlist);
      return toResponse(await actions.editEndpoint(db, clock, requireCustomer(req).organisation, id, body));
    },
    remove: async ({ req, params: { id } }) =>
      toResponse(await actions.deleteEndpoint(db, requireCustomer(req).organisation, id)),
    test: async ({ req, params: { id } }) => {
      const { organisation } = requireCustomer(req);
      const tested = await pauseDeadline(req, () => actions.testEndpoint(db, { clock, deliver }, organisation, id));
      const { id: messageId, status = null, fault, milliseconds } = requireFound(tested);
      const [isDelivered, problem] = [fault === undefined, fault?.problem ?? null];
      return { status: 200, body: { id: messageId, isDelivered, status, problem, milliseconds } };
    },
    replay: async ({ req, params: { id }, body: { from } }) =>
      toResponse(await actions.replayFrom(db, requireCustomer(req).organisation, id, from)),
    rotate: async ({ req, params: { id } }) => {
      const { endpoint, secret } = requireFound(
        await actions.rotateSecret(db, clock, requireCustomer(req).organisation, id),
      );
      return { status: 200, body: { secret, endpoint: await toView(endpoint) } };
    },
  });
};
