import type {
  CanaryMark,
  RecordBrokersAtQuery,
  RecordBrokersHistoryQuery,
  RecordBrokersProofQuery,
  ServiceLevelEntry,
} from '@broker-transparency/client/record';
import { type ModerationTransparency, REASON_CODES, REASONS } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import type { CallContext, CallHandler, CallHandlers } from './call.ts';
import type { NewestEntriesQuery } from './log.ts';
import { CallRefusal, type RecordCallName } from './policy.ts';
import { toPublishedValue } from './record.ts';
import { PROBER } from './service-level.ts';
import type { State } from './state.ts';
import { requireBroker } from './submissions.ts';

/** Returns the day of a date, or the last one; undefined if there is none with the broker. */
export const findScoredDay = ({ record }: State, slug: string, date: string | undefined) => {
  const day = date === undefined ? record.days.at(-1) : record.days.find((one) => one.date === date);
  return day?.rows.some((row) => row[0] === slug) ? day : undefined;
};

const proveBroker = async (asked: string, { date, number }: RecordBrokersProofQuery, { state, at }: CallContext) => {
  const { slug } = requireBroker(state, asked);
  if (number !== undefined && state.record.entries[number]?.subject === entryKey('broker', slug))
    return { slug, number, proof: await state.log.prove(number, at) };
  const day = number === undefined ? findScoredDay(state, slug, date) : undefined;
  if (day !== undefined)
    return { slug, number: day.number, date: day.date, proof: await state.log.prove(day.number, at, { day, slug }) };
  throw new CallRefusal(
    'not_found',
    `There is no proof of this for "${asked}": a score has one for each day since the record began, once a signed ` +
      'checkpoint covers the day. Other entries about it have one by the numbers in its history: ?number=N.',
  );
};

const readServiceLevel = async (name: string, { state, at }: CallContext): Promise<ServiceLevelEntry> => {
  const entry = state.record.findLast(entryKey('service-level', name));
  if (entry === undefined) throw new CallRefusal('not_found', `The record has no entry about the service in ${name}.`);
  const { number, time } = entry;
  return { number, time, value: toPublishedValue(entry) ?? {}, proof: await state.log.prove(number, at) };
};

const writeCanary = (prober: string, { mark }: CanaryMark, { state, at }: CallContext) => {
  if (prober !== PROBER) throw new CallRefusal('not_found', `No prober "${prober}" has a vote now.`);
  const key = entryKey('service-level', 'canary', prober);
  state.record.publish('service-level', [{ kind: 'service-level', key, value: { mark } }], at, 'fact');
  return { mark };
};

const NO_DELAY = { decided: 0, medianDays: null, p90Days: null };

/** Counts the reviews and reports about a broker. A decision of a test server has the reason `other_with_text`. */
const countModeration = ({ reviews, reports }: State, brokerSlug: string): ModerationTransparency => {
  const own = reviews.filter((review) => review.brokerSlug === brokerSlug);
  const count = (status: string): number => own.filter((review) => review.status === status).length;
  const byReason = (status: string) =>
    Object.fromEntries(
      REASON_CODES.map((code) => [code, code === 'other_with_text' ? count(status) : 0]),
    ) as ModerationTransparency['reviews']['rejected'];
  const received = reports.filter((report) => report.brokerSlug === brokerSlug);
  const appeals = [...own, ...received].flatMap(({ appeal }) => appeal ?? []);
  return {
    brokerSlug,
    reviews: {
      received: own.length,
      pending: count('pending'),
      published: count('published'),
      withheld: count('withheld'),
      withdrawn: count('withdrawn'),
      rejected: byReason('rejected'),
      removed: byReason('removed'),
    },
    reports: {
      received: received.length,
      open: received.filter(({ status }) => status === 'open').length,
      upheld: received.filter(({ outcome }) => outcome === 'removed').length,
    },
    appeals: {
      received: appeals.length,
      open: appeals.filter(({ status }) => status === 'open').length,
      reversed: appeals.filter(({ outcome }) => outcome === 'reversed').length,
    },
    operators: { added: 1, alone: 1 },
    delays: { reviews: NO_DELAY, reports: NO_DELAY, appeals: NO_DELAY },
    reasons: REASON_CODES.map((code) => {
      const { description, ground } = REASONS[code];
      return { code, description, ground };
    }),
  };
};

/** Answers `brokers.at`, and `brokers.get` for customers. @throws CallRefusal `broker_not_found` */
export const readBrokerAt: CallHandler = ({ params: { slug = '' }, query }, { state, at }) => {
  const body = state.record.at(requireBroker(state, slug).slug, query as RecordBrokersAtQuery, at);
  if (body === undefined) throw new CallRefusal('broker_not_found', `No broker has the slug "${slug}".`);
  return { body };
};

/** The calls about the record and its log. */
export const RECORD_CALLS: CallHandlers<RecordCallName> = {
  'record.moderation': ({ params: { slug = '' } }, { state }) => ({
    body: countModeration(state, requireBroker(state, slug).slug),
  }),
  'record.brokers.history': ({ params: { slug = '' }, query }, { state }) => ({
    body: state.record.history(requireBroker(state, slug).slug, query as RecordBrokersHistoryQuery),
  }),
  'record.brokers.at': readBrokerAt,
  'record.brokers.proof': async ({ params: { slug = '' }, query }, context) => ({
    body: await proveBroker(slug, query as RecordBrokersProofQuery, context),
  }),
  'record.entries.list': async ({ query }, { state, at }) => ({
    body: await state.log.proveNewest(query as NewestEntriesQuery, at),
  }),
  'record.openings.list': ({ query }, { state }) => {
    const { keys } = query as { readonly keys: readonly string[] };
    const data = keys.flatMap((key) => {
      const salts = state.record.findSalts(key);
      return salts === undefined ? [] : [{ key, salts }];
    });
    return { body: { data } };
  },
  'record.serviceLevel.day': async ({ params: { date = '' } }, context) => ({
    body: await readServiceLevel(date, context),
  }),
  'record.serviceLevel.month': async ({ params: { month = '' } }, context) => ({
    body: await readServiceLevel(month, context),
  }),
  'record.serviceLevel.canary': ({ params: { prober = '' }, body }, context) => ({
    body: writeCanary(prober, body as CanaryMark, context),
  }),
  'enterprise.files.readLogFile': async ({ params: { path = '' } }, { state, at }) => {
    const file = await state.log.readFile(path, at);
    if (file === undefined)
      throw new CallRefusal('not_found', `The log has no file ${path}: its checkpoint says how far it reaches.`);
    const cache = file.isImmutable ? 'max-age=31536000, immutable' : 'max-age=5';
    return { body: file.bytes, type: file.type, headers: { 'Cache-Control': `public, ${cache}` } };
  },
};
