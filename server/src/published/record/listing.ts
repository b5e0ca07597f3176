import type { Score } from '@broker-transparency/contract';
import { type BrokerValue, entryKey, type LicenseValue, type QueryTimes } from '@broker-transparency/contract/record';
import { isHeld } from '../../features/brokers/license-status.rule.ts';
import { nameIn } from '../../ledger/record/entry.rule.ts';
import * as record from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { readCommon } from './days.ts';
import { readScored, resolveTimes, type TimesQuery, toEntryView } from './history.ts';
import type { FindLicensed } from './licensed.ts';
import { findWinners, type ScoredBroker, type Winner } from './scores.rule.ts';

/**
 * Number of entries that a page reads before it ends early. A broker costs as much as its reviews, so a page is limited
 * by entries and not by brokers.
 */
const MOST_READ = 5000;

/** A part of a list. */
export interface PageQuery {
  /** Key of the last broker of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const isHeldStatus = (status: string): boolean => isHeld({ status } as Parameters<typeof isHeld>[0]);

const countHeld = (winners: readonly Winner[]): number =>
  winners
    .filter(({ kind }) => kind === 'license')
    .flatMap(({ value }) => (value as LicenseValue).holders)
    .filter(({ status }) => isHeldStatus(status)).length;

const toWinnerView = ({ entry, value }: Winner) => ({ ...toEntryView(entry), value: value as Record<string, unknown> });

/** A broker as known at one time about another. */
interface ListedBroker {
  readonly slug: string;
  readonly name: string;
  readonly score: number | null;
  readonly color: Score['color'];
  readonly licenses: number;
  readonly entry: number;
}

const toListedBroker = (subject: string, { winners, score }: ScoredBroker): ListedBroker => {
  const own = winners.filter(({ entry }) => entry.subject === subject);
  const profile = own.find(({ kind }) => kind === 'broker') as Winner;
  const { slug, name } = profile.value as BrokerValue;
  const { value, color } = score;
  return { slug, name, score: value, color, licenses: countHeld(own), entry: profile.entry.number };
};

const toPage = <T>(limit: number, next: string | undefined, data: T[]) => ({
  data,
  pagination: { limit, nextCursor: next === undefined ? null : nameIn(next) },
});

/** Returns brokers as known at one time about another, in the order of their keys. */
export const listBrokersAt = async (db: Db, { cursor = '', limit }: PageQuery, asked: TimesQuery, now: Date) => {
  const times = await resolveTimes(db, asked, now);
  const keys = await record.nextKeys(db, 'broker', entryKey('broker', cursor), limit + 1);
  const data: ListedBroker[] = [];
  let [read, at] = [0, 0];
  for (; at < Math.min(limit, keys.length) && read < MOST_READ; at++) {
    const subject = keys[at] as string;
    const found = await readScored(db, subject, times);
    read += found?.read ?? 0;
    if (found) data.push(toListedBroker(subject, found));
  }
  return { ...toShownTimes(times), ...toPage(limit, at < keys.length ? keys[at - 1] : undefined, data) };
};

/** Returns the times for display. Before the first entry the answer is empty, and no number names it. */
const toShownTimes = ({ knownAt, validAt }: QueryTimes): QueryTimes => ({ knownAt: Math.max(knownAt, 0), validAt });

/** Returns regulators as known at one time about another. */
export const listRegulatorsAt = async (db: Db, asked: TimesQuery, now: Date) => {
  const times = await resolveTimes(db, asked, now);
  const { regulators } = (await readCommon(db)).momentAt(times);
  const data = regulators.map(toWinnerView).sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ...toShownTimes(times), data };
};

/**
 * Returns a regulator with a page of its brokers, as known at one time about another; undefined if nothing was
 * published of the regulator.
 */
export const readRegulatorAt = async (
  db: Db,
  findLicensed: FindLicensed,
  code: string,
  { cursor = '', limit, ...asked }: PageQuery & TimesQuery,
  now: Date,
) => {
  const times = await resolveTimes(db, asked, now);
  const { regulators } = (await readCommon(db, [code])).momentAt(times);
  const regulator = regulators.find(({ entry }) => entry.key === entryKey('regulator', code));
  if (!regulator) return undefined;
  const rest = (await findLicensed(code, times.knownAt + 1)).filter((broker) => broker > cursor);
  const page = rest.slice(0, limit);
  const entries = await record.findEntriesByKey(db, {
    keys: page.map((broker) => entryKey('broker', broker)),
    prefixes: page.map((broker) => entryKey('license', broker, code)),
    below: times.knownAt + 1,
  });
  const bySubject = Map.groupBy(findWinners(entries, times), ({ entry }) => entry.subject);
  const brokers = page.flatMap((broker) => {
    const own = bySubject.get(entryKey('broker', broker)) ?? [];
    const profile = own.find(({ kind }) => kind === 'broker')?.value as BrokerValue | undefined;
    const licenses = own.filter(({ kind }) => kind === 'license').map(toWinnerView);
    return profile && licenses.length > 0 ? [{ slug: profile.slug, name: profile.name, licenses }] : [];
  });
  const next = rest.length > limit ? (page.at(-1) ?? null) : null;
  return {
    ...toShownTimes(times),
    regulator: toWinnerView(regulator),
    brokers,
    pagination: { limit, nextCursor: next },
  };
};
