import { type BrokerValue, entryKey, type LicenseValue } from '@broker-transparency/contract/record';
import { brokerNotFound, findBrokerKey, resolveCurrentSlug } from '../../features/brokers/facts.ts';
import { nameIn } from '../../ledger/record/entry.rule.ts';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { readCommon } from './days.ts';
import { findWinners, listMergedSubjects, type RecordedEntry, type Winner } from './scores.rule.ts';
import { findBelow } from './subtotal-store.ts';
import type { Subtotal } from './subtotals.rule.ts';
import { findFormerReviews } from './subtotals.ts';
import type { Course } from './timeline.rule.ts';

/** A broker in the record. */
export interface BrokerSubject {
  /** Its current slug; the requested one if it is no longer published. */
  readonly slug: string;
  /** Key of its own entries, and subject of all entries about it. */
  readonly subject: string;
  /** Its first entry. */
  readonly first: RecordedEntry;
}

/** @throws DomainError broker_not_found if the record has no entry about it */
export const requireSubject = async (db: Db, asked: string): Promise<BrokerSubject> => {
  const subject = entryKey('broker', await findBrokerKey(db, asked));
  const [first] = await record.findEntries(db, { subjects: [subject] }, 1);
  if (!first) throw brokerNotFound(asked);
  return { slug: await resolveCurrentSlug(db, asked), subject, first };
};

/** Returns the entries of a broker itself. */
export const readProfiles = (db: Db, subject: string): Promise<RecordedEntry[]> =>
  record.findEntriesByKey(db, { keys: [subject] });

/**
 * Returns the entries of brokers, their licences and their warnings, by number. They are few, because people and
 * registers write them: reviews and daily counts of complaints are not among them.
 */
export const readFacts = async (db: Db, subjects: readonly string[], below?: number): Promise<RecordedEntry[]> => {
  const names = subjects.map(nameIn);
  const prefixes = names.flatMap((name) => [entryKey('license', name), entryKey('warning', name)]);
  return subjects.length === 0
    ? []
    : record.findEntriesByKey(db, { keys: subjects, prefixes, ...(below && { below }) });
};

/** Returns the codes of the regulators of licences. */
export const listRegulatorCodes = (values: readonly Pick<Winner, 'kind' | 'value'>[]): Set<string> =>
  new Set(values.flatMap(({ kind, value }) => (kind === 'license' ? (value as LicenseValue).regulator : [])));

/** Returns the key of the counts of complaints about a broker. */
export const toComplaintsKey = (subject: string): string => entryKey('complaints', nameIn(subject));

/** A broker with everything that determines its history, except reviews and complaints. */
export interface Lineage extends BrokerSubject, Awaited<ReturnType<typeof readCommon>> {
  readonly facts: readonly RecordedEntry[];
  /** The broker, and all brokers that were ever merged into it. */
  readonly counted: readonly string[];
}

/** @throws DomainError broker_not_found if the record has no entry about the broker */
export const readLineage = async (db: Db, asked: string): Promise<Lineage> => {
  const broker = await requireSubject(db, asked);
  const facts = await readFacts(db, [broker.subject]);
  const said = facts.flatMap((entry) => findWinners([entry], { knownAt: entry.number, validAt: entry.time }));
  const profiles = said.filter(({ kind }) => kind === 'broker').map(({ value }) => value as BrokerValue);
  const merged = profiles.flatMap((profile) => [...listMergedSubjects(profile)]);
  const common = await readCommon(db, listRegulatorCodes(said));
  return { ...broker, ...common, facts, counted: [...new Set([broker.subject, ...merged])] };
};

/** Returns counts of complaints: the last one below a number, and all from there on. */
const readComplaints = async (db: Db, subject: string, from: number, below: number): Promise<RecordedEntry[]> => {
  const keys = [toComplaintsKey(subject)];
  const [last] = await record.findLatest(db, keys, from);
  const others = await record.findEntriesByKey(db, { keys, from, below });
  return last ? [last, ...others] : others;
};

/** Returns entries of reviews from one number up to another, with the entries that they replaced. */
const readReviews = async (db: Db, subject: string, from: number, below: number) => {
  const reviews = await record.findEntries(db, { subjects: [subject], kind: 'review', from, below });
  return { reviews, former: await findFormerReviews(db, reviews) };
};

/** Range of numbers of a course. */
interface CourseBounds {
  /** The first number to score. */
  readonly first: number;
  /** The last number to score. */
  readonly last: number;
}

/** Subtotals at all numbers to score, as far as subtotals reach. */
export interface ReachedSubtotals {
  readonly subtotals: readonly Subtotal[];
  /** Last subtotal of each broker that has one. */
  readonly open: ReadonlyMap<string, Subtotal>;
}

/**
 * Reads everything that determines the scores of a broker, from one number through another. Earlier reviews come from
 * subtotals.
 * @param reached subtotals in place of entries about reviews
 */
export const readCourse = async (
  db: Db,
  { facts, counted }: Pick<Lineage, 'facts' | 'counted'>,
  { first, last }: CourseBounds,
  reached?: ReachedSubtotals,
): Promise<Course> => {
  const below = last + 1;
  const all = await Promise.all(
    counted.map(async (subject) => {
      const base = await findBelow(db, subject, first);
      const begin = (reached?.open.get(subject) ?? base)?.number ?? -1;
      const { reviews, former } = await readReviews(db, subject, begin + 1, below);
      const complaints = await readComplaints(db, subject, first, below);
      return { base: base ?? [], entries: [...complaints, ...reviews], former };
    }),
  );
  return {
    subtotals: [...all.flatMap(({ base }) => base), ...(reached?.subtotals ?? [])],
    entries: [...facts, ...all.flatMap(({ entries }) => entries)],
    former: all.flatMap(({ former }) => former),
  };
};
