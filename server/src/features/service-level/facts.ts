import { hasVoteOn, type MeasuredDay, minuteNumber, minuteText } from '@broker-transparency/service-level';
import { nextKeys } from '../../ledger/record/read.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { datesBetween } from './dates.rule.ts';
import { unpackFigures } from './figures.rule.ts';
import * as store from './store.ts';

/** A registered prober. */
export interface RegisteredProber {
  readonly name: string;
  /** Verifier key: `name+id+base64`. */
  readonly key: string;
  /** First minute of its vote: `2026-11-23T10:05Z`. */
  readonly since: string;
  /** End of its vote, excluded; absent while it has a vote. */
  readonly until?: string;
  /** Minimum minutes between its marks; absent if it may not write marks. */
  readonly canaryMinutes?: number;
}

const toProber = ({ _id: name, mark: _, ...rest }: store.ProberDocument): RegisteredProber => ({ name, ...rest });

/** Returns all probers by name, including former ones. */
export const listProbers = async (db: Db, tx?: Tx): Promise<RegisteredProber[]> =>
  (await store.listProbers(db, tx)).map(toProber);

/** Returns the first minute in which any prober had a vote; undefined if none was ever registered. */
export const findFirstMinute = async (db: Db): Promise<string | undefined> =>
  (await store.listProbers(db))
    .filter(({ since, until }) => until === undefined || since < until)
    .map(({ since }) => since)
    .sort()
    .at(0);

/** The measurements of some days. */
export interface MeasuredPeriod {
  /** All days in order, each with the probers that had a vote on it. */
  readonly days: readonly MeasuredDay[];
}

/** Returns the probers' results of the days from that of `from` to that of the last minute before `to`. */
export const readMeasured = async (db: Db, from: string, to: string, tx?: Tx): Promise<MeasuredPeriod> => {
  const last = minuteText(minuteNumber(to) - 1);
  const dates = datesBetween(from.slice(0, 10), last.slice(0, 10));
  const [first] = dates;
  if (first === undefined) return { days: [] };
  const probers = await listProbers(db, tx);
  const figures = await store.readFigures(db, first, dates.at(-1) as string, tx);
  const days = dates.map((date) => ({
    date,
    probers: probers
      .filter((prober) => hasVoteOn(prober, date))
      .map(({ name, since, until }) => ({
        name,
        since,
        ...(until === undefined ? {} : { until }),
        results: unpackFigures(date, figures.get(`${date}/${name}`) ?? ''),
      })),
  }));
  return { days };
};

const DAY_KEY = /^service-level\/(\d{4}-\d\d-\d\d)$/;
const MONTH_KEY = /^service-level\/(\d{4}-\d\d)$/;
/** More keys than days and months of a hundred years. */
const MANY = 40_000;

const listSealed = async (db: Db, form: RegExp): Promise<string[]> =>
  (await nextKeys(db, 'service-level', '', MANY)).flatMap((key) => form.exec(key)?.[1] ?? []);

/** Returns the days whose root is in the record, in order. */
export const listSealedDays = (db: Db): Promise<string[]> => listSealed(db, DAY_KEY);

/** Returns the months whose figures are final, in order. */
export const listSealedMonths = (db: Db): Promise<string[]> => listSealed(db, MONTH_KEY);
