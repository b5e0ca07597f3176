/**
 * Months of results by a seed: with outages, missing probers, late deliveries, clocks that jump, and a prober that
 * lies.
 */
import { addMinutes, newProber, type ProbeReading, type TestProber } from '../support/prober.ts';

/** A prober, with the minutes of its vote. */
export interface Voter {
  readonly prober: TestProber;
  readonly since: string;
  readonly until?: string;
}

/** The results of a prober for a day, in the parts in which it delivers them. */
export interface ProberDay {
  readonly voter: Voter;
  readonly date: string;
  readonly parts: readonly (readonly ProbeReading[])[];
  /** Its file is lost before it is delivered. */
  readonly isDeleted: boolean;
}

/** Returns the same numbers from 0 to 1 for the same seed. */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** The first month has a single day. */
export const BEGAN = '2018-07-31T00:00Z';
/** Returns the months from the first one, `YYYY-MM`. */
export const listMonths = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => new Date(Date.UTC(2018, 6 + at)).toISOString().slice(0, 7));

/** Three probers of the whole time, one that ends and one that comes, in the middle of a minute's work. */
export const makeVoters = (): Voter[] => [
  { prober: newProber('amsterdam'), since: BEGAN },
  { prober: newProber('bergen'), since: BEGAN, until: '2019-03-02T00:07Z' },
  { prober: newProber('cork'), since: '2018-08-02T00:03Z' },
  { prober: newProber('dakar'), since: '2018-12-02T00:11Z' },
];

const hasVoteAt = ({ since, until }: Voter, minute: string): boolean =>
  since <= minute && (until === undefined || minute < until);

const KINDS = [
  'sound',
  'outage',
  'missing',
  'late',
  'jump',
  'liar up',
  'liar down',
  'deleted',
  'all',
  'silence',
] as const;
/** The event of a month. */
export type Kind = (typeof KINDS)[number];
export const chooseKind = (at: number): Kind => KINDS[at % KINDS.length] as Kind;

/** The plan of a generated month. */
export interface MonthPlan {
  readonly seed: number;
  readonly kind: Kind;
  /** Days with results, and minutes of each from midnight on. */
  readonly dates: readonly string[];
  readonly minutes: number;
}

const times = (random: () => number, ok: boolean): ProbeReading['checks'] => {
  const ms = () => Math.floor(random() ** 3 * 900);
  const failed = { ok: false, ms: random() < 0.5 ? 3 : 5001, error: 'no answer' };
  return {
    public: ok ? { ok, ms: ms() } : failed,
    ...(random() < 0.5 ? { enterprise: { ok: true, ms: ms() } } : {}),
    ...(ok || random() < 0.5 ? { feed: { ok: true, ms: 7 } } : { feed: failed }),
  };
};

/** Returns what all probers say about a month. */
export const generateMonth = (voters: readonly Voter[], { seed, kind, dates, minutes }: MonthPlan): ProberDay[] => {
  const random = createRandom(seed * 7919 + 1);
  const is = (...kinds: Kind[]) => kinds.includes(kind) || kind === 'all';
  const made: ProberDay[] = [];
  for (const [day, date] of dates.entries()) {
    const downFrom = Math.floor(random() * minutes);
    const down = is('outage', 'liar up') ? 1 + Math.floor(random() * minutes * 0.1) : 0;
    for (const [who, voter] of voters.entries()) {
      if (is('missing') && who === (day + seed) % voters.length) continue;
      if (kind === 'silence' && day % 2 === 1) continue;
      const says = (at: number): boolean => {
        if (who === 2 && is('liar up')) return true;
        if (who === 2 && kind === 'liar down') return false;
        return at < downFrom || at >= downFrom + down;
      };
      const all: ProbeReading[] = [];
      const say = (at: number): void => {
        const minute = addMinutes(`${date}T00:00Z`, at);
        if (!hasVoteAt(voter, minute) || random() < 0.01) return;
        const mark =
          random() < 0.05 ? { freshnessMs: Math.floor(random() * 2100), webhookMs: Math.floor(random() * 61_000) } : {};
        all.push({ minute, checks: times(random, says(at)), ...mark });
      };
      for (let at = 0; at < minutes; at++) {
        say(at);
        // The clock goes back: minutes are told again, and not always the same.
        if (is('jump') && at === Math.floor(minutes / 2)) for (let again = at - 3; again <= at; again++) say(again);
      }
      if (all.length === 0) continue;
      const cut = is('late') ? Math.floor(random() * all.length) : 0;
      const parts = [all.slice(0, cut), all.slice(cut)].filter((part) => part.length > 0);
      made.push({ voter, date, parts, isDeleted: is('deleted') && who < 2 && day === 0 });
    }
  }
  // Late days come in any order.
  return is('late')
    ? made
        .map((each) => [random(), each] as const)
        .sort(([a], [b]) => a - b)
        .map(([, each]) => each)
    : made;
};
