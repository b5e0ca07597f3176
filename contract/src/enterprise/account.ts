import * as z from 'zod';
import { CalendarDate, Extensible, Month, NoQuery, Timestamp } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { ENTERPRISE_SCOPES, enterpriseMeta } from './metadata.ts';
import { PLAN_NAMES } from './plans.ts';

const Count = z.int().min(0);
const EnterpriseScopes = z.array(Extensible(z.enum(ENTERPRISE_SCOPES)));

/** The organisation that a key belongs to, and what the key may do. */
export const EnterpriseAccount = z
  .object({
    organisation: z.string().describe('Id of the organisation.'),
    name: z.string().describe('Name of the organisation.'),
    plan: Extensible(z.enum(PLAN_NAMES)).describe('Its plan.'),
    agreement: z.object({
      version: z.string().describe('Version of the agreement that it accepted.'),
      acceptedAt: Timestamp,
      endsAt: Timestamp.nullable().describe('When access ends; null: not yet known.'),
    }),
    environment: Extensible(z.enum(['live', 'sandbox'])).describe('`sandbox`: the data is fictional.'),
    key: z
      .object({
        id: z.string(),
        name: z.string().describe('What the organisation calls it.'),
        expiresAt: Timestamp,
        scopes: EnterpriseScopes,
      })
      .nullable()
      .describe('The key of this request; null: it came with a token of the identity provider.'),
    scopes: EnterpriseScopes.describe('What this request may be for.'),
    limits: z.object({
      requestsPerMinute: Count,
      recordReadsPerMinute: Count.describe('Requests a minute that are computed from the record.'),
      requestsPerMonth: Count,
      longPolls: Count,
      webhookEndpoints: Count,
      watchlists: Count,
      accessKeptDays: Count,
    }),
  })
  .meta({ id: 'EnterpriseAccount', description: 'The organisation that a key belongs to, and what the key may do.' });
export type EnterpriseAccount = z.infer<typeof EnterpriseAccount>;

/** An organisation's use in a month. */
export const EnterpriseUsage = z
  .object({
    month: Month,
    requests: Count.describe('Requests that were answered, refused ones apart.'),
    quota: Count.describe('Requests that the plan has for the month.'),
    bytes: Count.describe('Bytes of answers.'),
    days: z.array(z.object({ date: CalendarDate, requests: Count, bytes: Count })).describe('Days with requests.'),
    routes: z.array(z.object({ route: z.string(), requests: Count, bytes: Count })).describe('Routes with requests.'),
  })
  .meta({ id: 'EnterpriseUsage', description: 'What an organisation has used in a month, up to some seconds ago.' });
export type EnterpriseUsage = z.infer<typeof EnterpriseUsage>;

/** Routes about the caller's own organisation. */
export const enterpriseAccount = {
  get: {
    method: 'GET',
    path: '/account',
    summary: 'Your organisation, its plan, and what this key may do',
    query: NoQuery,
    responses: { 200: EnterpriseAccount, ...problems(...AUTH_PROBLEMS) },
    metadata: enterpriseMeta('account:read'),
  },
  usage: {
    method: 'GET',
    path: '/usage',
    summary: 'What your organisation has used in a month',
    query: z.strictObject({ month: Month.optional().describe('The month. Default: the current one.') }),
    responses: { 200: EnterpriseUsage, ...problems(...AUTH_PROBLEMS) },
    metadata: enterpriseMeta('account:read'),
  },
} as const satisfies RouteGroup;
