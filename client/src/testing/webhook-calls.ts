import type { NewWebhook, WebhookChange, WebhookEndpoint } from '@broker-transparency/client/enterprise';
import { PLANS } from '@broker-transparency/contract/enterprise';
import { toBase64 } from '@broker-transparency/log';
import type { CallContext, CallHandlers } from './call.ts';
import type { Customer, StoredEndpoint } from './customers.ts';
import { findSecrets, sendMessage } from './deliver.ts';
import { CallRefusal, type EnterpriseCallName } from './policy.ts';
import { sha256 } from './sha256.ts';
import { daysBefore } from './times.ts';
import type { ValidRequest } from './validation.ts';
import { requireWatchlist } from './watchlists.ts';
import { WEBHOOK_PUBLIC_KEY } from './webhook.ts';

/** Returns the caller of a route that needs a key. */
export const requireCustomer = ({ customer }: CallContext): Customer => {
  if (customer === undefined) throw new Error('the route is not one for customers');
  return customer;
};

/** Returns an endpoint as its owner sees it. */
const toEndpointView = (endpoint: StoredEndpoint, { state, at }: CallContext): WebhookEndpoint => ({
  ...endpoint,
  end: state.record.entries.length - 1,
  secrets: findSecrets(endpoint, at).map(({ createdAt, endsAt }) => ({ createdAt, endsAt })),
});

/** Creates a secret, which depends on its number alone. */
const createSecret = ({ state, at }: CallContext): StoredEndpoint['secrets'][number] => {
  const bytes = sha256(new TextEncoder().encode(`secret ${state.nextNumber()}`));
  return { secret: `whsec_${toBase64(bytes)}`, createdAt: at.toISOString(), endsAt: null };
};

const requireNumber = (from: number, { state }: CallContext): number => {
  const next = state.record.entries.length;
  if (from <= next) return from;
  throw new CallRefusal('state_conflict', `The record ends at number ${next - 1}. Nothing has number ${from} yet.`);
};

const requireEndpoint = ({ endpoints }: Customer, id: string | undefined): StoredEndpoint => {
  const endpoint = endpoints.get(id ?? '');
  if (endpoint === undefined) throw new CallRefusal('not_found', 'Your organisation has no such endpoint.');
  return endpoint;
};

const createEndpoint = (draft: NewWebhook, context: CallContext): StoredEndpoint => {
  const customer = requireCustomer(context);
  const { state, at } = context;
  const { url, description = null, kinds = null, watchlist = null, from = state.record.entries.length } = draft;
  if (watchlist !== null) requireWatchlist(customer, watchlist, state);
  const { webhookEndpoints: most } = PLANS[customer.plan];
  if (customer.endpoints.size >= most)
    throw new CallRefusal(
      'state_conflict',
      `The plan "${customer.plan}" has ${most} endpoints, and all are in use. Delete one first.`,
    );
  const endpoint: StoredEndpoint = {
    id: `we_test_${state.nextNumber()}`,
    url,
    description,
    kinds: kinds && [...new Set(kinds)],
    watchlist,
    createdAt: at.toISOString(),
    state: 'active',
    next: requireNumber(from, context),
    blocked: [],
    failing: null,
    paused: null,
    lastDeliveredAt: null,
    failures: [],
    secrets: [createSecret(context)],
  };
  customer.endpoints.set(endpoint.id, endpoint);
  return endpoint;
};

/** Returns an endpoint after a change by its owner. Another address gets at once the messages that failed. */
const applyChange = (endpoint: StoredEndpoint, { state, ...change }: WebhookChange, at: Date): StoredEndpoint => {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed = { ...endpoint, ...given };
  const isElsewhere = change.url !== undefined && change.url !== endpoint.url;
  if (state === 'active') return { ...changed, state, failing: null, paused: null };
  if (state === 'paused')
    return { ...changed, state, paused: endpoint.paused ?? { at: at.toISOString(), why: 'asked' } };
  if (isElsewhere && endpoint.state === 'failing') return { ...changed, state: 'active', failing: null };
  return changed;
};

/** Replaces the endpoint that a request names, and returns what its owner then sees. */
const replaceEndpoint = (
  { params: { id } }: ValidRequest,
  context: CallContext,
  change: (endpoint: StoredEndpoint) => StoredEndpoint,
): StoredEndpoint => {
  const customer = requireCustomer(context);
  const endpoint = change(requireEndpoint(customer, id));
  customer.endpoints.set(endpoint.id, endpoint);
  return endpoint;
};

const testEndpoint = async ({ params: { id } }: ValidRequest, context: CallContext) => {
  const endpoint = requireEndpoint(requireCustomer(context), id);
  const messageId = `${endpoint.id}_test_${context.state.nextNumber()}`;
  const begun = performance.now();
  const event = { type: 'test', timestamp: context.at.toISOString(), data: { endpoint: endpoint.id } };
  const { status, problem } = await sendMessage(endpoint, { id: messageId, event }, context.send, context.at);
  const milliseconds = Math.round(performance.now() - begun);
  return { id: messageId, isDelivered: problem === null, status, problem, milliseconds };
};

/** Number of secrets that sign beside each other. */
const MOST_SECRETS = 3;

type WebhookCallName = Extract<EnterpriseCallName, `enterprise.webhooks.${string}`>;

/** The calls of webhooks. */
export const WEBHOOK_CALLS: CallHandlers<WebhookCallName> = {
  'enterprise.webhooks.list': (_, context) => {
    const { endpoints } = requireCustomer(context);
    return { body: { data: [...endpoints.values()].map((endpoint) => toEndpointView(endpoint, context)) } };
  },
  'enterprise.webhooks.create': ({ body }, context) => {
    const endpoint = createEndpoint(body as NewWebhook, context);
    return { body: { secret: endpoint.secrets[0]?.secret, endpoint: toEndpointView(endpoint, context) } };
  },
  'enterprise.webhooks.keys': () => ({ body: { data: [{ key: WEBHOOK_PUBLIC_KEY }] } }),
  'enterprise.webhooks.get': ({ params: { id } }, context) => ({
    body: toEndpointView(requireEndpoint(requireCustomer(context), id), context),
  }),
  'enterprise.webhooks.change': (asked, context) => {
    const change = asked.body as WebhookChange;
    if (change.watchlist) requireWatchlist(requireCustomer(context), change.watchlist, context.state);
    const endpoint = replaceEndpoint(asked, context, (known) => applyChange(known, change, context.at));
    return { body: toEndpointView(endpoint, context) };
  },
  'enterprise.webhooks.remove': ({ params: { id } }, context) => {
    const { endpoints } = requireCustomer(context);
    const endpoint = requireEndpoint({ ...requireCustomer(context) }, id);
    endpoints.delete(endpoint.id);
    return { body: toEndpointView(endpoint, context) };
  },
  'enterprise.webhooks.test': async (asked, context) => ({ body: await testEndpoint(asked, context) }),
  'enterprise.webhooks.replay': (asked, context) => {
    const { from } = asked.body as { readonly from: number };
    requireEndpoint(requireCustomer(context), asked.params['id']);
    const next = requireNumber(from, context);
    const endpoint = replaceEndpoint(asked, context, (known) => ({ ...known, next, blocked: [], failing: null }));
    return { body: toEndpointView(endpoint, context) };
  },
  'enterprise.webhooks.rotate': (asked, context) => {
    const secret = createSecret(context);
    const soon = daysBefore(context.at, -1).toISOString();
    const endpoint = replaceEndpoint(asked, context, (known) => ({
      ...known,
      secrets: [
        secret,
        ...known.secrets
          .map((one) => ({ ...one, endsAt: [soon, one.endsAt ?? soon].sort()[0] as string }))
          .slice(0, MOST_SECRETS - 1),
      ],
    }));
    return { body: { secret: secret.secret, endpoint: toEndpointView(endpoint, context) } };
  },
};
