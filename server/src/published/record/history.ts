import type { BrokerAt, BrokerHistory, BrokerProof, HISTORY_PERIODS } from '@broker-transparency/contract';
import { formatEntryExtra, formatProof } from '@broker-transparency/contract/log';
import { type AsKnown, entryKey, type LicenseValue, type RegulatorValue } from '@broker-transparency/contract/record';
import { brokerNotFound, currentSlug, keyOfBroker } from '../../features/brokers/facts.ts';
import { proveEntry, signedSize } from '../../platform/log/files.ts';
import type { Db } from '../../platform/mongo.ts';
import { findEntries, nextNumber, numberAt } from '../../platform/record/read.ts';
import { findDay, mergedInto, proveScore, readCommon } from './days.ts';
import { brokerAt, type RecordedEntry, scoreAt, valuesAt, type Winner } from './scores.rule.ts';
import { createTimeline } from './timeline.rule.ts';

/** A broker in the record. */
interface Subject {
  /** Its current slug; the one that was asked for if nothing is published of it any more. */
  readonly slug: string;
  readonly own: readonly RecordedEntry[];
}

/** @throws DomainError broker_not_found if the record has nothing about it */
export const requireSubject = async (db: Db, asked: string): Promise<Subject> => {
  const key = await keyOfBroker(db, asked);
  const own = await findEntries(db, { subjects: [entryKey('broker', key)] });
  if (own.length === 0) throw brokerNotFound(asked);
  return { slug: await currentSlug(db, asked), own };
};

/** What is asked of the record. */
export interface AskedTimes {
  /** A number, or a time. */
  readonly knownAt?: number | string | undefined;
  readonly validAt?: string | undefined;
}

export const numberOf = async (db: Db, knownAt: AskedTimes['knownAt']): Promise<number> => {
  if (typeof knownAt === 'string') return numberAt(db, new Date(knownAt));
  const last = (await nextNumber(db)) - 1;
  return Math.min(knownAt ?? last, last);
};

export const entryView = ({ number, time, key, kind, cause, validFrom }: RecordedEntry) => ({
  number,
  time,
  key,
  kind,
  cause: cause as BrokerHistory['data'][number]['cause'],
  ...(validFrom === undefined ? {} : { validFrom }),
});

/** Reviews are told by their sums: there can be very many. */
const isFact = ({ kind }: Winner): boolean => kind !== 'review';

const regulatorsOf = (entries: Iterable<Pick<Winner, 'kind' | 'value'>>): Set<string> =>
  new Set([...entries].flatMap(({ kind, value }) => (kind === 'license' ? (value as LicenseValue).regulator : [])));

const regulatorEntries = (db: Db, codes: ReadonlySet<string>): Promise<RecordedEntry[]> =>
  findEntries(db, { subjects: [...codes].map((code) => entryKey('regulator', code)) });

/** Returns the two times that are asked for. */
export const timesOf = async (db: Db, { knownAt, validAt }: AskedTimes, now: Date): Promise<AsKnown> => ({
  knownAt: await numberOf(db, knownAt),
  validAt: new Date(validAt ?? now).toISOString(),
});

/** Returns what was known of a broker at one time about another. @throws DomainError broker_not_found */
export const readAt = async (db: Db, asked: string, askedTimes: AskedTimes, now: Date): Promise<BrokerAt> => {
  const { own } = await requireSubject(db, asked);
  const times = await timesOf(db, askedTimes, now);
  const merged = await mergedInto(db, own, [{ times }]);
  const moment = (await readCommon(db))(times);
  const found = scoreAt({ own, merged, ...moment }, times);
  if (!found) throw brokerNotFound(asked);
  const { slug, score, winners, ratingsByMonth, complaintsByMonth } = found;
  const codes = regulatorsOf(winners);
  const regulators = moment.regulators.filter(({ value }) => codes.has((value as RegulatorValue).code));
  const facts = [...winners.filter(isFact), ...regulators].sort((a, b) => a.entry.number - b.entry.number);
  return {
    slug,
    ...times,
    score,
    facts: facts.map(({ entry, value }) => ({ ...entryView(entry), value: value as Record<string, unknown> })),
    ratingsByMonth: [...ratingsByMonth],
    complaintsByMonth: [...complaintsByMonth],
  };
};

const byNumber = (a: RecordedEntry, b: RecordedEntry): number => a.number - b.number;

/** Returns all entries from which the scores of a broker follow, by number. */
export const readTimeline = async (db: Db, own: readonly RecordedEntry[]): Promise<RecordedEntry[]> => {
  const profiles = own.filter(({ kind }) => kind === 'broker'); // there are few, and reviews can be very many
  const moments = profiles.map(({ number, time }) => ({ times: { knownAt: number, validAt: time } }));
  const merged = await mergedInto(db, profiles, moments);
  const licenses = own.filter(({ kind }) => kind === 'license');
  const held = licenses.flatMap((entry) => valuesAt([entry], { knownAt: entry.number, validAt: entry.time }));
  const regulators = await regulatorEntries(db, regulatorsOf(held));
  return [...own, ...merged, ...regulators].sort(byNumber);
};

/** A part of a history. */
export interface AskedSteps {
  /** The first number. */
  readonly from: number;
  /** Only lower numbers, and the last ones of these. */
  readonly before?: number | undefined;
  readonly per: (typeof HISTORY_PERIODS)[number];
  readonly limit: number;
}

/** How much of a time names the period that it is in. */
const PERIOD_LENGTHS = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length } as const;

/** The steps that are asked for, and the one after them. */
const pageOf = (steps: readonly RecordedEntry[], { from, before, per, limit }: AskedSteps) => {
  const periodOf = ({ time }: RecordedEntry): string => time.slice(0, PERIOD_LENGTHS[per as 'day']);
  const isLast = (step: RecordedEntry, at: number): boolean => {
    const next = steps[at + 1];
    return !next || periodOf(next) !== periodOf(step);
  };
  const kept = (per === 'entry' ? steps : steps.filter(isLast)).filter(({ number }) => number >= from);
  if (before === undefined) return { page: kept.slice(0, limit), next: kept[limit]?.number ?? null };
  return { page: kept.filter(({ number }) => number < before).slice(-limit), next: null };
};

/** Returns what changed about a broker, with its score after each change. @throws DomainError broker_not_found */
export const readHistory = async (db: Db, asked: string, part: AskedSteps): Promise<BrokerHistory> => {
  const { slug, own } = await requireSubject(db, asked);
  const { number: begin, time: since, subject } = own[0] as RecordedEntry;
  const methodologies = await findEntries(db, { about: 'methodology' });
  const entries = [...(await readTimeline(db, own)), ...methodologies].sort(byNumber);
  const steps = entries.filter(({ number, kind }) => number >= begin && kind !== 'check');
  const { page, next } = pageOf(steps, part);
  const momentAt = await readCommon(db);
  const timeline = createTimeline(subject);
  let added = 0;
  const data = page.map((entry) => {
    const { number, time } = entry;
    for (let next = entries[added]; next && next.number <= number; next = entries[++added]) timeline.add(next);
    const times = { knownAt: number, validAt: time };
    const score = timeline.score(momentAt(times), times);
    return { ...entryView(entry), value: score?.value ?? null, color: score?.color ?? ('gray' as const) };
  });
  return { slug, since, data, next };
};

/** What is to be proven: the score of a day, or another entry about the broker. */
export interface AskedProof {
  readonly date?: string | undefined;
  readonly number?: number | undefined;
}

/**
 * Returns the proof of a score, or of another entry about a broker, to the published checkpoint; undefined if that does
 * not cover it, or there is none.
 */
export const readProof = async (
  db: Db,
  asked: string,
  { date, number }: AskedProof,
): Promise<BrokerProof | undefined> => {
  const { slug, own } = await requireSubject(db, asked);
  if (number !== undefined && !own.some((entry) => entry.number === number)) return undefined;
  const day = number === undefined ? await findDay(db, date, await signedSize(db)) : undefined;
  const proven = number ?? day?.number;
  const found = proven === undefined ? undefined : await proveEntry(db, proven);
  if (proven === undefined || !found) return undefined;
  const { entry, hashes, checkpoint } = found;
  const proofOf = (part: Parameters<typeof formatEntryExtra>[0]['day']): string =>
    formatProof({ extra: formatEntryExtra({ entry, day: part }), index: proven, hashes, checkpoint });
  if (!day) return { slug, number: proven, proof: proofOf(undefined) };
  const { date: of, through } = JSON.parse(day.value) as { date: string; through: number };
  const then = brokerAt(own, { knownAt: through - 1, validAt: `${of}T00:00:00.000Z` });
  const part = then && (await proveScore(db, of, then.slug));
  return part && { slug, number: proven, date: of, proof: proofOf(part) };
};
