import { gunzipSync } from 'node:zlib';
import type { Score } from '@broker-transparency/contract';
import { type DayValue, entryKey, parseEntryKey } from '@broker-transparency/contract/record';
import { resolveBrokerKeys, resolveCurrentSlugs } from '../../features/brokers/facts.ts';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { toEntryView } from './history.ts';
import { canChangeScore, parseValue, type RecordedEntry } from './scores.rule.ts';

type DayScore = readonly [slug: string, value: number | null, color: Score['color']];

/** Returns a day with its scores by key of the broker, even after renaming. */
const readDayScores = async (db: Db, { number, value }: RecordedEntry) => {
  const { date, through } = JSON.parse(value) as DayValue;
  const kept = await record.readDay(db, date);
  const rows: DayScore[] = kept ? JSON.parse(gunzipSync(kept).toString()) : [];
  const toBrokerKey = await resolveBrokerKeys(
    db,
    rows.map(([slug]) => slug),
  );
  const scores = new Map(
    rows.map(([slug, score, color]) => [toBrokerKey(slug), { value: score, color, date, entry: number }] as const),
  );
  return { date, through, scores };
};

/** Returns the public texts, by key of their entries. */
const readReplies = async (db: Db, entries: readonly RecordedEntry[]): Promise<(key: string) => string | undefined> => {
  const keys = entries.filter(({ kind }) => kind === 'review').map(({ key }) => key);
  const texts = keys.length === 0 ? undefined : await record.readTexts(db, [...new Set(keys)]);
  return (key) => texts?.get(key)?.texts['reply']?.text;
};

/** Returns entries in their public form, with the reply to their review. */
const addReplies = async (db: Db, entries: readonly RecordedEntry[]) => {
  const replyTo = await readReplies(db, entries);
  return entries.map((entry) => {
    const reply = replyTo(entry.key);
    return { entry, view: { ...toEntryView(entry), ...(reply === undefined ? {} : { reply }) } };
  });
};

/** Limits of the result. */
export interface MoversQuery {
  readonly since: string;
  /** Maximum number of brokers per direction. */
  readonly limit: number;
  /** Maximum number of entries per broker. */
  readonly causes: number;
}

/**
 * Returns the largest changes of scores between the first day since a date and the last one; undefined without such a
 * day. It reads two days, and for each named broker some of its newest entries in between.
 */
export const readMovers = async (db: Db, { since, limit, causes }: MoversQuery) => {
  const below = await record.nextNumber(db);
  const last = await record.findLastKey(db, 'day', below);
  const first = await record.findFirstKey(db, 'day', { from: entryKey('day', since), below });
  if (!first || !last) return undefined;
  const [from, to] = [await readDayScores(db, first), await readDayScores(db, last)];
  const changes = [...to.scores]
    .flatMap(([key, now]) => {
      const then = from.scores.get(key);
      if (!then || then.value === null || now.value === null || then.value === now.value) return [];
      return [{ key, change: Math.round((now.value - then.value) * 100) / 100, from: then, to: now }];
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.key < b.key ? -1 : 1));
  const up = changes.filter(({ change }) => change > 0).slice(0, limit);
  const down = changes.filter(({ change }) => change < 0).slice(0, limit);
  const toCurrentSlug = await resolveCurrentSlugs(
    db,
    [...up, ...down].map(({ key }) => key),
  );
  const explainChange = async ({ key, ...change }: (typeof changes)[number]) => {
    const subjects = [entryKey('broker', key)];
    const range = { subjects, from: from.through, below: to.through };
    const newest = (await record.findNewest(db, range, causes + 1)).filter(canChangeScore);
    const shown = await addReplies(db, newest.slice(0, causes));
    return { ...change, slug: toCurrentSlug(key), causes: shown.map(({ view }) => view), more: newest.length > causes };
  };
  return {
    from: from.date,
    to: to.date,
    up: await Promise.all(up.map(explainChange)),
    down: await Promise.all(down.map(explainChange)),
  };
};

type CorrectedValue = Record<string, unknown> | null;

/** Part of the corrections to return. */
export interface CorrectionsQuery {
  readonly since: string;
  readonly from: number;
  readonly limit: number;
}

/** Returns the corrections and withdrawals since a day, with both versions. */
export const readCorrections = async (db: Db, { since, from, limit }: CorrectionsQuery) => {
  const before = await record.numberAt(db, new Date(Date.parse(`${since}T00:00:00.000Z`) - 1));
  const first = Math.max(from, before + 1);
  const end = await record.nextNumber(db);
  const all = await record.findCorrecting(db, { from: first, below: end }, limit + 1);
  const page = all.slice(0, limit);
  const last = all.length > limit ? (page.at(-1) as RecordedEntry).number + 1 : end;
  const keys = [...new Set(page.map(({ key }) => key))];
  const known = keys.length === 0 ? [] : await record.findEntriesByKey(db, { keys, prefixes: [], below: last });
  const parseBrokerKey = ({ subject }: RecordedEntry): string | undefined =>
    subject.startsWith('broker/') ? parseEntryKey(subject)[1] : undefined;
  const toCurrentSlug = await resolveCurrentSlugs(
    db,
    page.flatMap((entry) => parseBrokerKey(entry) ?? []),
  );
  const data = (await addReplies(db, page)).map(({ entry, view }) => {
    const former = known.findLast(({ key, number }) => key === entry.key && number < entry.number);
    const broker = parseBrokerKey(entry);
    return {
      ...view,
      broker: broker === undefined ? null : toCurrentSlug(broker),
      before: (former ? parseValue(former) : null) as CorrectedValue,
      after: parseValue(entry) as CorrectedValue,
    };
  });
  return { data, next: last < end ? last : null };
};
