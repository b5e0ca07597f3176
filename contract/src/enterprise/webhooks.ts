import * as z from 'zod';
import { MOST_NUMBER } from '../entry-fields.ts';
import { Extensible, NoBody, NoQuery, Text, Timestamp, WebUrl } from '../primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, problems } from '../problem.ts';
import { ENTRY_KINDS } from '../record/entry.ts';
import type { RouteGroup } from '../route.ts';
import { enterpriseMeta } from './metadata.ts';
import { WatchlistName } from './watchlists.ts';

const EntryNumber = z.int().min(0).max(MOST_NUMBER);
const Count = z.int().min(0);
const Kinds = z.array(z.enum(ENTRY_KINDS)).min(1).max(ENTRY_KINDS.length);

/** A subject whose events wait after a failed delivery. */
export const BlockedSubject = z
  .object({
    subject: z.string().describe('What its entries are about: `broker/…` with the id of a broker, `regulator/…`.'),
    number: EntryNumber.describe('Its events wait from this number on.'),
    since: Timestamp,
    attempts: Count.describe('Tries of the event with this number.'),
    nextTryAt: Timestamp.nullable().describe('null: not before you resume the endpoint.'),
    problem: z.string().describe('What came of the last try.'),
  })
  .meta({ id: 'BlockedSubject', description: 'Whose events wait since a delivery failed. Others go on meanwhile.' });
export type BlockedSubject = z.infer<typeof BlockedSubject>;

/** An address that events are sent to. */
export const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    kinds: z
      .array(Extensible(z.enum(ENTRY_KINDS)))
      .nullable()
      .describe('Kinds of entries it gets; null: all.'),
    watchlist: z.string().nullable().describe('It gets entries about the brokers of this watchlist; null: all.'),
    createdAt: Timestamp,
    state: Extensible(z.enum(['active', 'failing', 'paused'])),
    next: EntryNumber.describe('Everything below this number is delivered, or waits in `blocked`.'),
    end: z.int().min(-1).describe('The last number of the record.'),
    blocked: z.array(BlockedSubject),
    failing: z
      .object({
        since: Timestamp,
        attempts: Count,
        nextTryAt: Timestamp,
        pausesAt: Timestamp.describe('It is paused if no delivery succeeds until then.'),
        problem: z.string(),
      })
      .nullable()
      .describe('Set while the whole endpoint fails.'),
    paused: z
      .object({ at: Timestamp, why: Extensible(z.enum(['asked', 'gone', 'failing'])) })
      .nullable()
      .describe('`asked`: by you. `gone`: it answered 410. `failing`: all tries of five days failed.'),
    lastDeliveredAt: Timestamp.nullable(),
    failures: z
      .array(z.object({ at: Timestamp, number: EntryNumber, problem: z.string() }))
      .describe('The last ones, the newest first. Bodies of answers are not kept.'),
    secrets: z
      .array(z.object({ createdAt: Timestamp, endsAt: Timestamp.nullable() }))
      .describe('Secrets that sign, the newest first. They are not shown again.'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An address that events are sent to, and how far they are.' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** An endpoint with a secret that is shown this once. */
export const WebhookSecret = z
  .object({
    secret: z.string().describe('`whsec_` and base64. Verify `v1` signatures with it. It is not shown again.'),
    endpoint: WebhookEndpoint,
  })
  .meta({ id: 'WebhookSecret', description: 'An endpoint with its new secret, which is shown this once.' });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

/** All endpoints of an organisation. */
export const WebhookList = z
  .object({ data: z.array(WebhookEndpoint).describe('The oldest first.') })
  .meta({ id: 'WebhookList', description: 'The endpoints of your organisation.' });
export type WebhookList = z.infer<typeof WebhookList>;

/** The public keys of `v1a` signatures. */
export const WebhookKeys = z
  .object({ data: z.array(z.object({ key: z.string().describe('`whpk_` and an Ed25519 key in base64.') })) })
  .meta({
    id: 'WebhookKeys',
    description: 'The keys of `v1a` signatures, the newest first; empty: there are none. Accept a signature by any.',
  });
export type WebhookKeys = z.infer<typeof WebhookKeys>;

/** The result of a test. */
export const WebhookTest = z
  .object({
    id: z.string().describe('The `webhook-id` that was sent.'),
    isDelivered: z.boolean().describe('Whether the answer was 2xx within 15 seconds.'),
    status: z.int().nullable().describe('Status of the answer; null: none came.'),
    problem: z.string().nullable().describe('What is wrong; null: nothing.'),
    milliseconds: Count,
  })
  .meta({ id: 'WebhookTest', description: 'What came of a test event.' });
export type WebhookTest = z.infer<typeof WebhookTest>;

/** A new endpoint. */
export const NewWebhook = z
  .strictObject({
    url: WebUrl.describe('Where events are sent by POST. It must be https.'),
    description: Text(1, 200).optional().describe('Your name for it.'),
    kinds: Kinds.optional().describe('Only entries of these kinds. Default: all.'),
    watchlist: WatchlistName.optional().describe('Only entries about the brokers of this watchlist. Default: all.'),
    from: EntryNumber.optional().describe('Begin with the entry of this number. Default: what comes next.'),
  })
  .meta({ id: 'NewWebhook', description: 'A new endpoint.', examples: [{ url: 'https://hooks.example/ratings' }] });
export type NewWebhook = z.infer<typeof NewWebhook>;

/** Changes of an endpoint. */
export const WebhookChange = z
  .strictObject({
    url: WebUrl.optional().describe('What failed before is tried there at once.'),
    description: Text(1, 200).nullable().optional(),
    kinds: Kinds.nullable().optional().describe('null: all.'),
    watchlist: WatchlistName.nullable().optional().describe('null: all entries.'),
    state: z.enum(['active', 'paused']).optional().describe('`active` goes on where it stopped, and at once.'),
  })
  .meta({ id: 'WebhookChange', description: 'Changes of an endpoint.', examples: [{ state: 'active' }] });
export type WebhookChange = z.infer<typeof WebhookChange>;

/** The start from which events are sent again. */
export const WebhookReplay = z
  .strictObject({ from: EntryNumber.describe('Number of the first entry.') })
  .meta({ id: 'WebhookReplay', description: 'From where events are sent again.', examples: [{ from: 0 }] });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

const query = NoQuery;
const pathParams = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(60)
    .meta({ description: 'Id of the endpoint.', examples: ['6730f1d2a3b4c5d6e7f80912'] }),
});
const metadata = enterpriseMeta('webhooks:write');
const own = problems(...AUTH_PROBLEMS, 'not_found');
const written = problems(...AUTH_PROBLEMS, ...BODY_PROBLEMS, 'not_found', 'state_conflict');

/** Routes of webhooks. */
export const enterpriseWebhooks = {
  list: {
    method: 'GET',
    path: '/webhooks',
    summary: 'The endpoints of your organisation',
    query,
    responses: { 200: WebhookList, ...problems(...AUTH_PROBLEMS) },
    metadata,
  },
  create: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Subscribe an endpoint',
    description: 'The answer has the secret of the endpoint, which is not shown again.',
    query,
    body: NewWebhook,
    responses: { 201: WebhookSecret, ...written },
    metadata,
  },
  keys: {
    method: 'GET',
    path: '/webhooks/keys',
    summary: 'The public keys of v1a signatures',
    query,
    responses: { 200: WebhookKeys, ...problems(...AUTH_PROBLEMS) },
    metadata,
  },
  get: {
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'An endpoint, and how far it is',
    pathParams,
    query,
    responses: { 200: WebhookEndpoint, ...own },
    metadata,
  },
  change: {
    method: 'PATCH',
    path: '/webhooks/:id',
    summary: 'Change, pause or resume an endpoint',
    pathParams,
    query,
    body: WebhookChange,
    responses: { 200: WebhookEndpoint, ...written },
    metadata,
  },
  remove: {
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete an endpoint with its secrets',
    description: 'The answer is the endpoint as it was.',
    pathParams,
    query,
    responses: { 200: WebhookEndpoint, ...own },
    metadata,
  },
  test: {
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Send a test event now',
    description: 'The answer says what came back. It takes up to 15 seconds.',
    pathParams,
    query,
    body: NoBody,
    responses: { 200: WebhookTest, ...own },
    metadata,
  },
  replay: {
    method: 'POST',
    path: '/webhooks/:id/replay',
    summary: 'Send events again from a number on',
    description: 'Everything from there on is sent, with the same `webhook-id` as before. Nothing stays blocked.',
    pathParams,
    query,
    body: WebhookReplay,
    responses: { 200: WebhookEndpoint, ...written },
    metadata,
  },
  rotate: {
    method: 'POST',
    path: '/webhooks/:id/secret',
    summary: 'Make a new secret',
    description: 'For 24 hours events are signed with the old one, too. The new one is not shown again.',
    pathParams,
    query,
    body: NoBody,
    responses: { 200: WebhookSecret, ...own },
    metadata,
  },
} as const satisfies RouteGroup;
