import type {
  EnterpriseAccount,
  EnterpriseBrokersListQuery,
  EnterpriseBrokersTimelineQuery,
  EnterpriseMediaCorrectionsQuery,
  EnterpriseMediaMoversQuery,
  EnterpriseRegulatorsGetQuery,
  EnterpriseUsage,
  ScreeningRequest,
  TestEvent,
} from '@broker-transparency/client/enterprise';
import type { RecordBrokersAtQuery } from '@broker-transparency/client/record';
import { METHODOLOGY_VERSION } from '@broker-transparency/contract';
import { AGREEMENT_VERSION, PLANS } from '@broker-transparency/contract/enterprise';
import { entryKey, type MethodologyValue } from '@broker-transparency/contract/record';
import { formatPublication, makePublication, publicationPage } from '@broker-transparency/kernel';
import type { CallContext, CallHandlers, CallResult } from './call.ts';
import { type Customer, listScopes } from './customers.ts';
import { readChanges } from './feed.ts';
import {
  findMovers,
  listBrokersThen,
  listCorrections,
  listRegulatorsThen,
  readRegulatorThen,
  readTimeline,
} from './history-calls.ts';
import { LOG_ORIGIN, LOG_VERIFIER_KEY } from './log.ts';
import { CallRefusal, type EnterpriseCallName } from './policy.ts';
import { type NumberedEntry, toWarningKey } from './record.ts';
import { findScoredDay, readBrokerAt } from './record-calls.ts';
import { screen } from './screening.ts';
import { reportServiceLevel } from './service-level.ts';
import { listSnapshots, readSnapshotFile, readSnapshotManifest } from './snapshots.ts';
import { requireBroker } from './submissions.ts';
import { daysBefore } from './times.ts';
import { removeWatchlist, requireWatchlist, writeWatchlist } from './watchlists.ts';
import { requireCustomer, WEBHOOK_CALLS } from './webhook-calls.ts';

const YEAR_DAYS = 365;

const describeAccount = (customer: Customer, at: Date): EnterpriseAccount => {
  const { id, name, plan } = customer;
  const scopes = listScopes(customer);
  const { scopes: _, terms: __, ...limits } = PLANS[plan];
  return {
    organisation: id,
    name,
    plan,
    agreement: { version: AGREEMENT_VERSION, acceptedAt: daysBefore(at, YEAR_DAYS).toISOString(), endsAt: null },
    environment: 'sandbox',
    key: { id: `key_${id}`, name: 'Test key', expiresAt: daysBefore(at, -YEAR_DAYS).toISOString(), scopes },
    scopes,
    limits,
  };
};

/** Sums requests by a field. */
const sumUsage = <Field extends 'date' | 'route'>(usage: Customer['usage'], field: Field) => {
  const sums = new Map<string, { requests: number; bytes: number }>();
  for (const { bytes, [field]: name } of usage) {
    const sum = sums.get(name) ?? { requests: 0, bytes: 0 };
    sums.set(name, { requests: sum.requests + 1, bytes: sum.bytes + bytes });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
};

const sumMonth = ({ usage, plan }: Customer, month: string): EnterpriseUsage => {
  const own = usage.filter(({ date }) => date.startsWith(month));
  return {
    month,
    requests: own.length,
    quota: PLANS[plan].requestsPerMonth,
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    days: sumUsage(own, 'date').map(([date, sum]) => ({ date, ...sum })),
    routes: sumUsage(own, 'route').map(([route, sum]) => ({ route, ...sum })),
  };
};

const toMonth = (query: unknown, at: Date): string =>
  (query as { readonly month?: string }).month ?? at.toISOString().slice(0, 7);

const FORMS = {
  json: { type: 'application/json', write: formatPublication },
  html: { type: 'text/html; charset=utf-8', write: publicationPage },
} as const;

/** A query after validation, with its defaults. */
interface PublicationQuery {
  readonly date?: string;
  readonly format: keyof typeof FORMS;
}

/**
 * Answers `brokers.publication`.
 * @throws CallRefusal `broker_not_found`, `not_found`
 */
const publish = async (
  asked: string,
  { date, format }: PublicationQuery,
  context: CallContext,
): Promise<CallResult> => {
  const { state, at } = context;
  const { record, log } = state;
  const { slug } = requireBroker(state, asked);
  const day = findScoredDay(state, slug, date);
  if (day === undefined)
    throw new CallRefusal(
      'not_found',
      `There is no publication of "${asked}" for this day: a rating has one for each day since the record began, once a ` +
        'signed checkpoint covers the day.',
    );
  const times = { knownAt: day.through - 1, validAt: `${day.date}T00:00:00.000Z` };
  const profile = record.findWinners(entryKey('broker', slug), times).find(({ kind }) => kind === 'broker');
  const rules = record.findLast(entryKey('methodology', METHODOLOGY_VERSION));
  const [broker, methodology] = [profile, rules] as [NumberedEntry, NumberedEntry];
  const [, value = null, color = 'gray'] = day.rows.find((row) => row[0] === slug) ?? [];
  const { version, sha256 } = methodology.value as MethodologyValue;
  // all begin before the record can grow, so that one checkpoint covers them
  const [{ size }, ratingProof, brokerProof, methodologyProof] = await Promise.all([
    log.sign(at),
    log.prove(day.number, at, { day, slug }),
    log.prove(broker.number, at),
    log.prove(methodology.number, at),
  ]);
  const facts = {
    broker: { slug, name: (broker.value as { readonly name: string }).name, entry: broker.number },
    rating: { date: day.date, value, color, entry: day.number },
    methodology: { version, sha256, entry: methodology.number },
    log: { origin: LOG_ORIGIN, size, keys: [LOG_VERIFIER_KEY] },
    proofs: { rating: ratingProof, broker: brokerProof, methodology: methodologyProof },
  };
  const { type, write } = FORMS[format];
  const body = write(makePublication(facts, PLANS[requireCustomer(context).plan].terms.republication));
  const name = `${slug}-${day.date}.${format}`;
  return { body, type, headers: { 'Content-Disposition': `attachment; filename="${name}"` } };
};

/** Publishes a fictional warning about a clone of a broker, or takes it back if it is there. */
const publishTestEvent = (asked: string, { state, at }: CallContext): TestEvent => {
  const { slug } = requireBroker(state, asked);
  const url = `https://sandbox.example/warnings/${slug}`;
  const warning = {
    source: 'Sandbox authority (fictional)',
    url,
    title: `[Demo] A test event: somebody pretends to be ${slug}`,
    publishedAt: at.toISOString(),
    about: 'clone_of_it' as const,
  };
  const change = state.toggleWarning(slug, warning, at) ? 'appeared' : 'disappeared';
  return { broker: slug, kind: 'warning', key: toWarningKey(slug, url), change };
};

type OwnCallName = Exclude<EnterpriseCallName, keyof typeof WEBHOOK_CALLS>;

const OWN_CALLS: CallHandlers<OwnCallName> = {
  'enterprise.account.get': (_, context) => ({ body: describeAccount(requireCustomer(context), context.at) }),
  'enterprise.account.usage': ({ query }, context) => ({
    body: sumMonth(requireCustomer(context), toMonth(query, context.at)),
  }),
  'enterprise.feed.changes': async ({ query }, context) => ({
    body: await readChanges(requireCustomer(context), query as Parameters<typeof readChanges>[1], context),
  }),
  'enterprise.sandbox.publish': ({ body }, context) => ({
    body: publishTestEvent((body as { readonly broker: string }).broker, context),
  }),
  'enterprise.snapshots.list': (_, { state }) => ({ body: { data: listSnapshots(state) } }),
  'enterprise.snapshots.get': async ({ params: { number } }, context) => ({
    body: await readSnapshotManifest(requireCustomer(context), Number(number), context),
  }),
  'enterprise.files.readSnapshotFile': async ({ params: { number, name = '' } }, context) => ({
    body: await readSnapshotFile(requireCustomer(context), Number(number), name, context.state),
    type: 'application/gzip',
  }),
  'enterprise.brokers.list': ({ query }, context) => ({
    body: listBrokersThen(query as EnterpriseBrokersListQuery & { readonly limit: number }, context),
  }),
  'enterprise.brokers.get': readBrokerAt,
  'enterprise.brokers.timeline': ({ params: { slug = '' }, query }, context) => ({
    body: readTimeline(slug, query as EnterpriseBrokersTimelineQuery & { readonly limit: number }, context),
  }),
  'enterprise.brokers.publication': ({ params: { slug = '' }, query }, context) =>
    publish(slug, query as PublicationQuery, context),
  'enterprise.regulators.list': ({ query }, context) => ({
    body: listRegulatorsThen(query as RecordBrokersAtQuery, context),
  }),
  'enterprise.regulators.get': ({ params: { code = '' }, query }, context) => ({
    body: readRegulatorThen(code, query as EnterpriseRegulatorsGetQuery & { readonly limit: number }, context),
  }),
  'enterprise.media.movers': ({ query }, context) => ({
    body: findMovers(query as EnterpriseMediaMoversQuery & { readonly limit: number }, context),
  }),
  'enterprise.media.corrections': ({ query }, context) => ({
    body: listCorrections(query as EnterpriseMediaCorrectionsQuery & { readonly limit: number }, context),
  }),
  'enterprise.screening.screen': ({ body }, { state }) => ({
    body: screen(state.record, (body as ScreeningRequest).queries),
  }),
  'enterprise.serviceLevel.report': ({ query }, { state, at }) => ({
    body: reportServiceLevel(state.record, toMonth(query, at), at),
  }),
  'enterprise.watchlists.list': (_, context) => {
    const { watchlists } = requireCustomer(context);
    const data = [...watchlists].map(([name, { brokers, updatedAt }]) => ({
      name,
      brokers: brokers.length,
      updatedAt,
    }));
    return { body: { data: data.sort((a, b) => (a.name < b.name ? -1 : 1)) } };
  },
  'enterprise.watchlists.get': ({ params: { name = '' } }, context) => ({
    body: requireWatchlist(requireCustomer(context), name, context.state),
  }),
  'enterprise.watchlists.put': ({ params: { name = '' }, body }, context) => ({
    body: writeWatchlist(
      requireCustomer(context),
      name,
      (body as { readonly brokers: readonly string[] }).brokers,
      context,
    ),
  }),
  'enterprise.watchlists.remove': ({ params: { name = '' } }, context) => ({
    body: removeWatchlist(requireCustomer(context), name, context.state),
  }),
};

/** The calls for customers. */
export const ENTERPRISE_CALLS: CallHandlers<EnterpriseCallName> = { ...OWN_CALLS, ...WEBHOOK_CALLS };
