import { gunzipSync } from 'node:zlib';
import { type DayValue, type EntryCause, type EntryKind, entryKey } from '@broker-transparency/contract/record';
import { resolveBrokerKeys } from '../../features/brokers/facts.ts';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { walkRankedBrokers } from '../brokers/facts.ts';
import { findDay } from './days.ts';
import { canChangeScore } from './scores.rule.ts';

/** A large change of a score since the beginning of the last day. */
export interface Jump {
  readonly slug: string;
  readonly from: number;
  readonly to: number;
  /** Newest entries of the record about the broker since then, which caused the change. */
  readonly causes: readonly { readonly number: number; readonly kind: EntryKind; readonly cause: EntryCause }[];
}

/** Maximum number of named causes per jump, and of jumps with causes. */
const CAUSES = 3;
const EXPLAINED = 20;

/**
 * Maximum number of entries that are read to find causes. Comparisons with registers are among them, and change
 * nothing.
 */
const LOOKED_AT = 12;

const readDayScores = async (db: Db, { value }: { readonly value: string }) => {
  const { date, through } = JSON.parse(value) as DayValue;
  const kept = await record.readDay(db, date);
  const rows: [string, number | null, string][] = kept ? JSON.parse(gunzipSync(kept).toString()) : [];
  const toBrokerKey = await resolveBrokerKeys(
    db,
    rows.map(([slug]) => slug),
  );
  return { through, byKey: new Map(rows.map(([slug, score]) => [toBrokerKey(slug), score])) };
};

/**
 * Returns the brokers whose score differs by at least `points` from the one at the beginning of the last recorded day,
 * largest change first.
 */
export const readJumps = async (db: Db, points: number): Promise<Jump[]> => {
  const end = await record.nextNumber(db);
  const day = await findDay(db, undefined, end);
  if (!day) return [];
  const { through, byKey } = await readDayScores(db, day);
  const now: { slug: string; value: number | null }[] = [];
  for await (const { slug, value } of walkRankedBrokers(db)) now.push({ slug, value });
  const toBrokerKey = await resolveBrokerKeys(
    db,
    now.map(({ slug }) => slug),
  );
  const jumps = now
    .flatMap(({ slug, value }) => {
      const key = toBrokerKey(slug);
      const from = byKey.get(key);
      if (value === null || from === null || from === undefined || Math.abs(value - from) < points) return [];
      return [{ slug, key, from, to: value }];
    })
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from) || (a.slug < b.slug ? -1 : 1));
  return Promise.all(
    jumps.map(async ({ key, ...jump }, at) => {
      if (at >= EXPLAINED) return { ...jump, causes: [] };
      const range = { subjects: [entryKey('broker', key)], from: through, below: end };
      const newest = (await record.findNewest(db, range, LOOKED_AT)).filter(canChangeScore);
      return { ...jump, causes: newest.slice(0, CAUSES).map(({ number, kind, cause }) => ({ number, kind, cause })) };
    }),
  );
};

const formatChange = (change: number): string => (change > 0 ? `+${change.toFixed(1)}` : change.toFixed(1));

/** Describes these jumps in a line each. */
export const describeJumps = async (db: Db, points: number): Promise<string[]> =>
  (await readJumps(db, points)).map(({ slug, from, to, causes }) => {
    const why = causes.map(({ number, kind, cause }) => `${kind} (${cause}, entry ${number})`).join(', ');
    return `${slug} ${formatChange(to - from)} to ${to}${why && `: ${why}`}`;
  });
