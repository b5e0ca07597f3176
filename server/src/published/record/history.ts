import type { BrokerAt, BrokerHistory, BrokerProof } from '@broker-transparency/contract';
import { entryAt, type QueryTimes } from '@broker-transparency/contract/record';
import { formatEntryExtra, formatProof } from '@broker-transparency/log';
import { brokerNotFound } from '../../features/brokers/facts.ts';
import { proveEntry, signedSize } from '../../ledger/log/files.ts';
import { findEntries, nextNumber, numberAt, readChangeBounds, walkBegunEntries } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { findDay, proveScore, readCommon } from './days.ts';
import {
  listRegulatorCodes,
  readCourse,
  readFacts,
  readLineage,
  readProfiles,
  requireSubject,
  toComplaintsKey,
} from './lineage.ts';
import { findBrokerAt, findWinners, listMergedSubjects, type RecordedEntry, scoreAt } from './scores.rule.ts';
import { byNumber, readSteps, type StepsQuery } from './steps.ts';
import { addSums } from './subtotals.rule.ts';
import { readSums } from './subtotals.ts';
import { followCourse } from './timeline.rule.ts';

/** The two times of a question to the record. */
export interface TimesQuery {
  /** A number, or a time. */
  readonly knownAt?: number | string | undefined;
  readonly validAt?: string | undefined;
}

/** Returns the last number that counts: the end of a complete change, since half of one was never published. */
export const findKnown = async (db: Db, knownAt: TimesQuery['knownAt']): Promise<number> => {
  if (typeof knownAt === 'string') return numberAt(db, new Date(knownAt));
  const last = (await nextNumber(db)) - 1;
  return knownAt === undefined || knownAt >= last ? last : (await readChangeBounds(db, knownAt)).end - 1;
};

export const toEntryView = ({ number, time, key, kind, cause, validFrom }: RecordedEntry) => ({
  number,
  time,
  key,
  kind,
  cause: cause as BrokerHistory['data'][number]['cause'],
  ...(validFrom === undefined ? {} : { validFrom }),
});

/** Resolves the two times of a question. */
export const resolveTimes = async (db: Db, { knownAt, validAt }: TimesQuery, now: Date): Promise<QueryTimes> => ({
  knownAt: await findKnown(db, knownAt),
  validAt: new Date(validAt ?? now).toISOString(),
});

/** Returns the counts of complaints about a broker that hold at two times. */
const readComplaintsAt = async (db: Db, subject: string, times: QueryTimes): Promise<RecordedEntry[]> => {
  const { knownAt, validAt } = times;
  for await (const entry of walkBegunEntries(db, toComplaintsKey(subject), { below: knownAt + 1, validAt }))
    if (entryAt([entry], times)) return [entry];
  return [];
};

/** Returns the facts of a broker at two times, with its score; undefined if nothing was published. */
export const readScored = async (db: Db, subject: string, times: QueryTimes) => {
  const below = times.knownAt + 1;
  const facts = await readFacts(db, [subject], below);
  const profile = findBrokerAt(facts, times);
  if (!profile) return undefined;
  const subjects = [subject, ...listMergedSubjects(profile)];
  const begun = (await numberAt(db, new Date(times.validAt))) + 1;
  const [others, complaints, sums] = await Promise.all([
    readFacts(db, subjects.slice(1), below),
    Promise.all(subjects.map((one) => readComplaintsAt(db, one, times))),
    Promise.all(subjects.map(async (one) => [one, await readSums(db, one, below, begun)] as const)),
  ]);
  const entries = [...facts, ...others, ...complaints.flat()];
  const sumsBySubject = new Map(sums);
  const { momentAt } = await readCommon(db, listRegulatorCodes(findWinners(entries, times)));
  const moment = momentAt(times);
  const scored = scoreAt(
    {
      own: entries.filter((entry) => entry.subject === subject),
      merged: entries.filter((entry) => entry.subject !== subject),
      sumRatings: (asked) => addSums(asked.flatMap((one) => sumsBySubject.get(one) ?? [])),
      ...moment,
    },
    times,
  );
  return scored && { ...scored, regulators: moment.regulators, read: entries.length };
};

/** Returns a broker as known at one time about another. @throws DomainError broker_not_found */
export const readBrokerAt = async (db: Db, asked: string, askedTimes: TimesQuery, now: Date): Promise<BrokerAt> => {
  const { subject } = await requireSubject(db, asked);
  const times = await resolveTimes(db, askedTimes, now);
  const found = await readScored(db, subject, times);
  if (!found) throw brokerNotFound(asked);
  const { slug, score, winners, regulators, ratingsByMonth, complaintsByMonth } = found;
  const facts = [...winners, ...regulators].sort((a, b) => byNumber(a.entry, b.entry));
  return {
    slug,
    ...times,
    score,
    facts: facts.map(({ entry, value }) => ({ ...toEntryView(entry), value: value as Record<string, unknown> })),
    ratingsByMonth: [...ratingsByMonth],
    complaintsByMonth: [...complaintsByMonth],
  };
};

/** Time in milliseconds for which steps are scored before other work runs. */
const TURN_MS = 1;

/** Returns the changes of a broker, with its score after each. @throws DomainError broker_not_found */
export const readHistory = async (db: Db, asked: string, part: StepsQuery): Promise<BrokerHistory> => {
  const known = await nextNumber(db);
  const lineage = await readLineage(db, asked);
  const { slug, subject, first, momentAt } = lineage;
  const { page, next, previous, reached } = await readSteps(db, lineage, part);
  const [begin, end] = [page[0]?.at(-1), page.at(-1)?.at(-1)];
  if (end && end.number >= known) return readHistory(db, asked, part); // the lineage may lack a part of this change
  if (!begin || !end) return { slug, since: first.time, data: [], next, previous };
  const course = await readCourse(db, lineage, { first: begin.number, last: end.number }, reached);
  const timelineAt = followCourse(subject, course);
  const data: BrokerHistory['data'] = [];
  const giveTurn = createTurns(TURN_MS);
  for (const change of page) {
    await giveTurn();
    const last = change.at(-1) as RecordedEntry;
    const times = { knownAt: last.number, validAt: last.time };
    const score = timelineAt(last.number).score(momentAt(times), times);
    data.push({
      ...toEntryView(last),
      entries: change.map(({ number, key }) => ({ number, key })),
      value: score?.value ?? null,
      color: score?.color ?? 'gray',
    });
  }
  return { slug, since: first.time, data, next, previous };
};

/** Subject of a proof: the score of a day, or another entry about the broker. */
export interface ProofQuery {
  readonly date?: string | undefined;
  readonly number?: number | undefined;
}

const isAbout = async (db: Db, subject: string, number: number): Promise<boolean> =>
  (await findEntries(db, { subjects: [subject], from: number, below: number + 1 }, 1)).length > 0;

/**
 * Returns the proof of a score, or of another entry about a broker, against the published checkpoint; undefined if the
 * checkpoint does not cover it, or there is none.
 */
export const readProof = async (
  db: Db,
  asked: string,
  { date, number }: ProofQuery,
): Promise<BrokerProof | undefined> => {
  const { slug, subject } = await requireSubject(db, asked);
  if (number !== undefined && !(await isAbout(db, subject, number))) return undefined;
  const day = number === undefined ? await findDay(db, date, await signedSize(db)) : undefined;
  const proven = number ?? day?.number;
  const found = proven === undefined ? undefined : await proveEntry(db, proven);
  if (proven === undefined || !found) return undefined;
  const { entry, hashes, checkpoint } = found;
  const formatDayProof = (part: Parameters<typeof formatEntryExtra>[0]['day']): string =>
    formatProof({ extra: formatEntryExtra({ entry, day: part }), index: proven, hashes, checkpoint });
  if (!day) return { slug, number: proven, proof: formatDayProof(undefined) };
  const { date: of, through } = JSON.parse(day.value) as { date: string; through: number };
  const then = findBrokerAt(await readProfiles(db, subject), { knownAt: through - 1, validAt: `${of}T00:00:00.000Z` });
  const part = then && (await proveScore(db, of, then.slug));
  return part && { slug, number: proven, date: of, proof: formatDayProof(part) };
};
