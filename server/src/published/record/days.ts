import { gunzipSync, gzipSync } from 'node:zlib';
import type { RatingMonth } from '@broker-transparency/contract';
import {
  computeValidFrom,
  type DayValue,
  entryKey,
  type MethodologyValue,
  type QueryTimes,
  type RegulatorValue,
} from '@broker-transparency/contract/record';
import {
  canonicalJson,
  computeSubtreesRoot,
  type DayPart,
  hashSubtrees,
  inclusionPlan,
  leafInput,
  makeProof,
  type Subtrees,
  type TreeNode,
  toBase64,
} from '@broker-transparency/log';
import { addMonths } from '../../features/reviews/facts.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import {
  createRatingSums,
  findBrokerAt,
  findKnownBroker,
  findWinners,
  isReview,
  type RecordedEntry,
  type RecordedFacts,
  scoreKnown,
  type Winner,
} from './scores.rule.ts';

/** Number of days whose scores are computed in one walk through the record. */
const AT_ONCE = 30;

const DAY_MS = 86_400_000;

/** A day to compute: the scores at its beginning, from entries with numbers below `through`. */
type WantedDay = Pick<DayValue, 'date' | 'through'>;

/** State of the record at the time of a day, without brokers. */
interface ScoringMoment {
  readonly times: QueryTimes;
  /** The published regulators. */
  readonly regulators: readonly Winner[];
  readonly tiers: ReadonlyMap<string, number>;
  readonly version: string;
}

const toMidnight = (date: string): string => `${date}T00:00:00.000Z`;

/** Returns the methodology entry in force at a number: the last one, or the first one before any. */
const findInForce = (entries: readonly RecordedEntry[], knownAt: number): RecordedEntry => {
  const [first] = entries;
  const last = entries.findLast(({ number }) => number <= knownAt) ?? first;
  if (!last) throw new Error('the record has no methodology: start broker-rating serve once');
  return last;
};

const findVersionAt = (entries: readonly RecordedEntry[], knownAt: number): string =>
  (JSON.parse(findInForce(entries, knownAt).value) as MethodologyValue).version;

/** Returns the methodology entry in force at a number. */
export const readMethodologyAt = async (db: Db, knownAt: number): Promise<RecordedEntry> =>
  findInForce(await record.findEntries(db, { about: 'methodology' }), knownAt);

/** Prefix of the keys of all regulators. */
const REGULATORS = { keys: [], prefixes: ['regulator'] };

/** Entries that affect the scores of all brokers. */
interface CommonFacts {
  readonly regulators: readonly RecordedEntry[];
  readonly methodologies: readonly RecordedEntry[];
  /** Returns their state at two times. */
  readonly momentAt: (times: QueryTimes) => ScoringMoment;
}

/** Returns the facts for every broker: the methodology, and regulators with these codes, or all of them. */
export const readCommon = async (db: Db, codes?: Iterable<string>): Promise<CommonFacts> => {
  const keys = codes && [...codes].map((code) => entryKey('regulator', code));
  const regulators = await record.findEntriesByKey(db, keys ? { keys } : REGULATORS);
  const methodologies = await record.findEntries(db, { about: 'methodology' });
  const momentAt = (times: QueryTimes): ScoringMoment => {
    const published = findWinners(regulators, times);
    const tiers = published.map(({ value }) => value as RegulatorValue).map(({ code, tier }) => [code, tier] as const);
    return {
      times,
      regulators: published,
      tiers: new Map(tiers),
      version: findVersionAt(methodologies, times.knownAt),
    };
  };
  return { regulators, methodologies, momentAt };
};

const readMoments = async (db: Db, days: readonly WantedDay[]): Promise<ScoringMoment[]> => {
  const { momentAt } = await readCommon(db);
  return days.map(({ date, through }) => momentAt({ knownAt: through - 1, validAt: toMidnight(date) }));
};

/** Returns the entries about brokers that were merged into this one at any of these moments. */
const readMerged = async (db: Db, own: readonly RecordedEntry[], moments: readonly Pick<ScoringMoment, 'times'>[]) => {
  const profiles = own.filter(({ kind }) => kind === 'broker');
  const merged = moments.flatMap(({ times }) => findBrokerAt(profiles, times)?.merged ?? []);
  const subjects = [...new Set(merged)].map((broker) => entryKey('broker', broker));
  return subjects.length === 0 ? [] : record.findEntries(db, { subjects });
};

/** Yields the entries about each broker. */
async function* walkBrokers(db: Db, below: number): AsyncIterable<RecordedEntry[]> {
  let own: RecordedEntry[] = [];
  for await (const entry of record.walkBySubject(db, { about: 'broker', below })) {
    if (own.length > 0 && own[0]?.subject !== entry.subject) {
      yield own;
      own = [];
    }
    own.push(entry);
  }
  if (own.length > 0) yield own;
}

/** Score of a broker on a day. */
type ScoreRow = readonly [slug: string, value: number | null, color: string];

const bySlug = ([a]: ScoreRow, [b]: ScoreRow): number => (a < b ? -1 : 1);

/**
 * Returns a function that tells whether an entry counts and holds at all of these times, so that the result does not
 * depend on the time.
 */
const createSettledTest = (all: readonly QueryTimes[]) => {
  const knownAt = Math.min(...all.map((times) => times.knownAt));
  const validAt = Math.min(...all.map((times) => Date.parse(times.validAt)));
  return (entry: RecordedEntry): boolean =>
    entry.number <= knownAt && computeValidFrom(entry) <= validAt && entry.validTo === undefined;
};

/**
 * Returns the function of `createRatingSums` for each of several times. Reviews whose entries are all settled are read
 * once.
 */
const createRatingSumsByTime = (entries: readonly RecordedEntry[], all: readonly QueryTimes[]) => {
  const isSettled = createSettledTest(all);
  const reviews = [...Map.groupBy(entries.filter(isReview), ({ key }) => key).values()];
  const settled = createRatingSums(reviews.filter((own) => own.every(isSettled)).flat(), all[0] as QueryTimes);
  const moving = reviews.filter((own) => !own.every(isSettled)).flat();
  const known = new Map<string, readonly RatingMonth[]>();
  const sumSettled = (subjects: readonly string[]): readonly RatingMonth[] => {
    const key = subjects.join(' ');
    const sums = known.get(key) ?? settled(subjects);
    known.set(key, sums);
    return sums;
  };
  return (times: QueryTimes): RecordedFacts['sumRatings'] => {
    const sumMoving = createRatingSums(moving, times);
    return (subjects) => {
      const more = moving.length === 0 ? [] : sumMoving(subjects);
      if (more.length === 0) return sumSettled(subjects);
      return addMonths([...sumSettled(subjects), ...more]).sort((a, b) => (a.month < b.month ? -1 : 1));
    };
  };
};

/** Returns the result of `findKnownBroker` for each of several times. It computes it once if all facts are settled. */
const createKnownBrokerFinder = (recorded: Pick<RecordedFacts, 'own' | 'merged'>, all: readonly QueryTimes[]) => {
  const find = (times: QueryTimes) => findKnownBroker(recorded, times);
  const isStill = [...recorded.own, ...recorded.merged].filter((one) => !isReview(one)).every(createSettledTest(all));
  const [first] = all;
  if (!isStill || !first) return find;
  const known = find(first);
  return () => known;
};

/** Computes the scores of several days in one walk through the record. */
const computeScores = async (db: Db, days: readonly WantedDay[]): Promise<ScoreRow[][]> => {
  const moments = await readMoments(db, days);
  const all = moments.map(({ times }) => times);
  const rows = days.map((): ScoreRow[] => []);
  for await (const own of walkBrokers(db, Math.max(...days.map(({ through }) => through)))) {
    const facts = own.filter((entry) => !isReview(entry));
    const merged = await readMerged(db, facts, moments);
    const sumAt = createRatingSumsByTime([...own, ...merged], all);
    const knownAt = createKnownBrokerFinder({ own: facts, merged }, all);
    for (const [at, { times, tiers, version }] of moments.entries()) {
      const known = knownAt(times);
      if (!known) continue;
      const { slug, score } = scoreKnown(known, { sumRatings: sumAt(times), tiers, version }, times.validAt);
      rows[at]?.push([slug, score.value, score.color]);
    }
  }
  return rows.map((day) => day.sort(bySlug));
};

const encodeLeaf = (row: ScoreRow): Uint8Array => Buffer.from(canonicalJson(row));

/** Returns the tree over the scores of a day. */
const buildDayTree = (rows: readonly ScoreRow[]): Subtrees =>
  hashSubtrees(
    rows.map((row) => sha256(leafInput(encodeLeaf(row)))),
    sha256,
  );

/** Scores of a day, with the day's entry. */
interface ComputedDay {
  readonly value: DayValue;
  readonly rows: readonly ScoreRow[];
}

const computeDays = async (db: Db, days: readonly WantedDay[]): Promise<ComputedDay[]> => {
  const all = await computeScores(db, days);
  return days.map((day, at) => {
    const rows = all[at] as ScoreRow[];
    return {
      value: { ...day, count: rows.length, root: toBase64(computeSubtreesRoot(buildDayTree(rows), sha256)) },
      rows,
    };
  });
};

const splitBatches = <T>(all: readonly T[], atOnce = AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => all.slice(at * atOnce, (at + 1) * atOnce));

const formatDate = (time: string | number): string => new Date(time).toISOString().slice(0, 10);

const readPublishedDays = async (db: Db): Promise<DayValue[]> =>
  (await record.findEntries(db, { about: 'day' })).map(({ value }) => JSON.parse(value) as DayValue);

/**
 * Proves the score of a broker on a day against the root in the day's entry; undefined if the day has no such broker.
 */
export const proveScore = async (db: Db, date: string, slug: string): Promise<DayPart | undefined> => {
  const kept = await record.readDay(db, date);
  if (!kept) return undefined;
  const rows = JSON.parse(gunzipSync(kept).toString()) as ScoreRow[];
  const index = rows.findIndex(([one]) => one === slug);
  if (index < 0) return undefined;
  const tree = buildDayTree(rows);
  const findNodeHash = ({ level, index: at }: TreeNode): Uint8Array => tree[level]?.[at] as Uint8Array;
  const hashes = makeProof(inclusionPlan(index, rows.length), findNodeHash, sha256);
  return { index, count: rows.length, leaf: encodeLeaf(rows[index] as ScoreRow), hashes };
};

/** Returns the entry of a day, or of the last one below a number. */
export const findDay = async (db: Db, date: string | undefined, below: number) =>
  date === undefined
    ? record.findLastKey(db, 'day', below)
    : (await record.findEntriesByKey(db, { keys: [entryKey('day', date)], below }))[0];

/** Returns the days up to now that the record does not have, in order. */
export const findMissingDays = async (db: Db, now: Date): Promise<string[]> => {
  const [first] = await record.findEntries(db, { from: 0 }, 1);
  if (!first) return [];
  const last =
    (await readPublishedDays(db))
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? formatDate(first.time);
  const dates: string[] = [];
  for (let at = Date.parse(last) + DAY_MS; at <= now.getTime(); at += DAY_MS) dates.push(formatDate(at));
  return dates;
};

/**
 * Adds these days to the record, each once, even if other processes do the same.
 * @param atOnce days whose scores are computed in one walk through the record, and kept in memory meanwhile
 */
export const publishDays = async (context: Context, dates: readonly string[], atOnce = AT_ONCE): Promise<void> => {
  for (const some of splitBatches(dates, atOnce)) {
    const through = await record.nextNumber(context.db);
    const days = await computeDays(
      context.db,
      some.map((date) => ({ date, through })),
    );
    await inTransaction(context, async (c) => {
      for (const { value, rows } of days) {
        const key = entryKey('day', value.date);
        if (await record.hasEntry(key, c.tx)) continue;
        c.publish({
          kind: 'day',
          key,
          subject: key,
          value: { ...value },
          validFrom: toMidnight(value.date),
          cause: 'day',
        });
        await record.keepDay(value.date, gzipSync(canonicalJson(rows)), c.tx);
      }
    });
  }
};

/** Stores the inputs of days' roots again that a restore lost. */
export const keepLostDays = async (context: Context): Promise<void> => {
  const lost: DayValue[] = [];
  for (const day of await readPublishedDays(context.db))
    if ((await record.readDay(context.db, day.date)) === undefined) lost.push(day);
  for (const some of splitBatches(lost)) {
    const days = await computeDays(context.db, some);
    await inTransaction(context, async ({ tx }) => {
      for (const { value, rows } of days) await record.keepDay(value.date, gzipSync(canonicalJson(rows)), tx);
    });
  }
};

/** Returns the days whose scores do not follow from the entries before them. */
export const findWrongDays = async (db: Db): Promise<string[]> => {
  const wrong: string[] = [];
  for (const some of splitBatches(await readPublishedDays(db))) {
    const computed = await computeDays(
      db,
      some.map(({ date, through }) => ({ date, through })),
    );
    for (const [at, { value }] of computed.entries())
      if (canonicalJson(value) !== canonicalJson(some[at])) wrong.push(value.date);
  }
  return wrong;
};
