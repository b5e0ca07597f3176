import type { RatedFacts, scoreFromRecord } from '@broker-transparency/contract/record';

export type SteadyScore = ReturnType<typeof scoreFromRecord>;

/*
 * When a score cannot change while its facts do not. Then it need not be computed again every day.
 *
 * In these versions of the methodology time moves two components, and within a calendar month each in one direction:
 * the oldest licence gets older, and all reviews fade by the same factor, so that their mean moves towards the prior.
 * Complaints count by whole months. Caps depend on facts and on the number of effective reviews, which a factor for all
 * does not change. So on a day between two others each component lies between what it is on these. A version that is
 * not listed is computed every day.
 */
const STEADY_VERSIONS: ReadonlySet<string> = new Set(['2026-1']);

/** More than what rounding can add up to, and less than what is published. */
const MARGIN = 1e-6;
/** Maximum rounding error of a published value. */
const HALF = 0.05;

const findCapLimit = ({ caps }: SteadyScore): number => Math.min(100, ...caps.map(({ limit }) => limit));
const joinCapCodes = ({ caps }: SteadyScore): string => caps.map(({ code }) => code).join();
const roundValue = (raw: number, limit: number): number => Math.round(Math.min(raw, limit) * 10) / 10;

/** Returns by how much components rise and fall from one score to another. */
const sumMoves = (from: SteadyScore, to: SteadyScore): { readonly up: number; readonly down: number } => {
  let [up, down] = [0, 0];
  for (const [at, { contribution }] of from.components.entries()) {
    const change = (to.components[at]?.contribution ?? Number.NaN) - contribution;
    if (change > 0) up += change;
    else down -= change;
  }
  return { up, down };
};

/** Returns true if a score has the same value on two days and all between them, given equal facts and one month. */
const isSteady = (from: SteadyScore, to: SteadyScore): boolean => {
  if (from.value === null || to.value === null) return from.value === to.value;
  if (joinCapCodes(from) !== joinCapCodes(to)) return false;
  const [{ up, down }, limit] = [sumMoves(from, to), findCapLimit(from)];
  return [from.rawValue - down - MARGIN, from.rawValue + up + MARGIN].every(
    (raw) => roundValue(raw, limit) === from.value,
  );
};

/** Returns the estimated part of a period for which the value stays, if components move evenly. To be checked. */
const estimateSteadyPart = (from: SteadyScore, to: SteadyScore): number => {
  const [{ up, down }, value] = [sumMoves(from, to), from.value ?? 0];
  const above = from.rawValue >= findCapLimit(from) ? Infinity : value + HALF - from.rawValue;
  return 0.9 * Math.min(above / up, (from.rawValue - value + HALF) / down);
};

const DAY_MS = 86_400_000;

/** A day as the time of its beginning. */
const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/**
 * Returns the last day, as Unix milliseconds, up to which a score keeps its value while its facts are the same.
 * @param from the score of a day
 * @param scoreAt the score of the same facts at another time
 */
export const findSteadyEnd = (
  from: SteadyScore,
  { ratingsByMonth }: Pick<RatedFacts, 'ratingsByMonth'>,
  scoreAt: (time: string) => SteadyScore,
): number => {
  const day = new Date(from.computedAt);
  const begin = day.getTime();
  const month = from.computedAt.slice(0, 7);
  // reviews of months that are to come do not fade yet
  if (!STEADY_VERSIONS.has(from.methodologyVersion) || ratingsByMonth.some((one) => one.month > month)) return begin;
  const last = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0);
  if (last === begin) return begin;
  const far = scoreAt(toIsoTime(last));
  if (isSteady(from, far)) return last;
  const days = Math.floor(estimateSteadyPart(from, far) * ((last - begin) / DAY_MS));
  const near = begin + days * DAY_MS;
  return days >= 2 && near < last && isSteady(from, scoreAt(toIsoTime(near))) ? near : begin;
};
