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
  /** Its current slug; the one that was asked for if nothing is published of it any more. */
  readonly slug: string;
  /** The key of its own entries, under which everything about it is found. */
  readonly subject: string;
  /** Its first entry. */
  readonly first: RecordedEntry;
}

/** @throws DomainError broker_not_found if the record has nothing about it */
export const requireSubject = async (db: Db, asked: string): Promise<BrokerSubject> => {
  const subject = entryKey('broker', await findBrokerKey(db, asked));
  const [first] = await record.findEntries(db, { subjects: [subject] }, 1);
  if (!first) throw brokerNotFound(asked);
  return { slug: await resolveCurrentSlug(db, asked), subject, first };
};

/** Returns the entries that say what is published of a broker itself. */
export const readProfiles = (db: Db, subject: string): Promise<RecordedEntry[]> =>
  record.findEntriesByKey(db, { keys: [subject] });

/**
 * Returns the entries of brokers, their licences and their warnings, by number. People and registers write them, so there
 * are few: reviews and daily counts of complaints are not among them.
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

/** Returns the key under which the counts of complaints about a broker are found. */
export const toComplaintsKey = (subject: string): string => entryKey('complaints', nameIn(subject));

/** A broker with everything that its history follows from, but for reviews and complaints. */
export interface Lineage extends BrokerSubject, Awaited<ReturnType<typeof readCommon>> {
  readonly facts: readonly RecordedEntry[];
  /** The broker, and all that were merged into it at any time. */
  readonly counted: readonly string[];
}

/** @throws DomainError broker_not_found if the record has nothing about the broker */
export const readLineage = async (db: Db, asked: string): Promise<Lineage> => {
  const broker = await requireSubject(db, asked);
  const facts = await readFacts(db, [broker.subject]);
  const said = facts.flatMap((entry) => findWinners([entry], { knownAt: entry.number, validAt: entry.time }));
  const profiles = said.filter(({ kind }) => kind === 'broker').map(({ value }) => value as BrokerValue);
  const merged = profiles.flatMap((profile) => [...listMergedSubjects(profile)]);
  const common = await readCommon(db, listRegulatorCodes(said));
  return { ...broker, ...common, facts, counted: [...new Set([broker.subject, ...merged])] };
};

/** Returns counts of complaints: the last one below a number, and those from there on. */
const readComplaints = async (db: Db, subject: string, from: number, below: number): Promise<RecordedEntry[]> => {
  const keys = [toComplaintsKey(subject)];
  const [last] = await record.findLatest(db, keys, from);
  const others = await record.findEntriesByKey(db, { keys, from, below });
  return last ? [last, ...others] : others;
};

/** Returns entries of reviews from one number up to another, with those that they have taken the place of. */
const readReviews = async (db: Db, subject: string, from: number, below: number) => {
  const reviews = await record.findEntries(db, { subjects: [subject], kind: 'review', from, below });
  return { reviews, former: await findFormerReviews(db, reviews) };
};

/** Numbers of a course. */
interface CourseBounds {
  /** The first number whose score is wanted. */
  readonly first: number;
  /** The last one. */
  readonly last: number;
}

/** Subtotals at all numbers whose scores are wanted, as far as entries are in subtotals. */
export interface ReachedSubtotals {
  readonly subtotals: readonly Subtotal[];
  /** The last subtotal of each broker that has any. */
  readonly open: ReadonlyMap<string, Subtotal>;
}

/**
 * Reads everything from which the scores of a broker follow, from one number through another. Reviews before are in
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
