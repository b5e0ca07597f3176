/** Judges a load during which a part was broken: the figures of a row, and the broken promises. */

import type { Balance } from './ledger.ts';
import type { Exchange, Kind } from './load.ts';

/** The broken part decides what must keep working. */
export type Part = 'database' | 'redis' | 'process';

/** Times on the clock of `performance`. */
export interface Moments {
  readonly began: number;
  readonly struck: number;
  /** The time when recovery could start: at the repair, or at once if the rest can do without the part. */
  readonly curable: number;
  readonly ended: number;
  /** Noise of a busy machine, which excuses late answers. If omitted, nothing is excused. */
  readonly noise?: Noise;
}

/** A time during which something ran. */
export type Span = Pick<Exchange, 'at' | 'ms'>;

/** The disturbance by the machine of everything that ran on it, the service aside. */
export interface Noise {
  /**
   * Answers may take this much longer, and some may be shed. If it is long, no time is judged, nor a refusal because a
   * part took too long: all parts are late.
   */
  readonly ms: number;
  /** Meanwhile the service or its database, whole as they were, did not get to run. */
  readonly stalls: readonly Span[];
}

export interface FaultRow {
  readonly fault: string;
  /** Requests sent per second. */
  readonly load: number;
  readonly answered: number;
  /** Answers 503 with Retry-After. */
  readonly failedFast: number;
  readonly noConnection: number;
  /** Answered requests for hot targets, and the total of such requests. */
  readonly hot: { readonly served: number; readonly asked: number };
  readonly worstMs: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  /** Seconds from the fault until readiness failed. Undefined if it did not fail. */
  readonly downAfter: number | undefined;
  /** Seconds from when recovery could start until readiness was back. */
  readonly backAfter: number | undefined;
  /** Seconds from when recovery could start until no request was refused and every answer was current. */
  readonly recovery: number;
  /** True if the machine was too busy to judge times. */
  readonly isBusy: boolean;
  /** Descriptions of the broken promises. */
  readonly broken: readonly string[];
}

const LATEST_ANSWER_MS = 2000;
const READY_DOWN_S = 10;
const READY_BACK_S = 20;
/** The service must notice a database that is away for longer than this. */
const NOTICED_MS = 10_000;

const GOOD: Readonly<Record<Kind, readonly number[]>> = {
  hot: [200],
  cold: [200],
  live: [200],
  ready: [200],
  write: [201, 409], // 409: the first attempt is still running
};

/** With more noise than this, elections and probes take as long as the machine lets them. */
const BUSY_MS = 500;
/** On a calm machine, liveness and a write to the database take a tenth of this. */
const STALL_MS = 150;

const end = ({ at, ms }: Span): number => at + ms;

const isGood = ({ kind, status }: Exchange): boolean => GOOD[kind].includes(status);

/** Returns true if a caller notices anything wrong. */
export const isTrouble = (exchange: Exchange): boolean => !isGood(exchange) || exchange.age > 0;

const isFastFailure = ({ status, retryAfter }: Exchange): boolean => status === 503 && retryAfter;

/** Counts by kind, status and path, such as `12 × hot 503: /brokers`. */
const summarise = (exchanges: readonly Exchange[]): string[] => {
  const counts = new Map<string, number>();
  for (const { kind, status, target, shed } of exchanges) {
    const answer = status === 0 ? 'without an answer' : `${status}${shed ? ' (overload)' : ''}`;
    const name = `${kind} ${answer}: ${target.replace(/\?.*/, '')}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`);
};

const toSeconds = (ms: number): number => Math.max(0, ms) / 1000;

/**
 * Times of readiness: from the fault to the first 503, and from when recovery could start to the first 200 after the
 * last 503.
 */
const computeReadiness = (exchanges: readonly Exchange[], { struck, curable }: Moments) => {
  const asked = exchanges.filter(({ kind, at }) => kind === 'ready' && at >= struck).sort((a, b) => end(a) - end(b));
  const lastDown = asked.findLast((exchange) => !isGood(exchange));
  if (!lastDown) return { downAfter: undefined, backAfter: undefined };
  const back = asked.find((exchange) => end(exchange) > end(lastDown));
  return {
    downAfter: toSeconds(end(asked.find((exchange) => !isGood(exchange)) as Exchange) - struck),
    backAfter: back ? toSeconds(end(back) - curable) : Number.POSITIVE_INFINITY,
  };
};

/** Returns true for an answer that the service gives when its database gives none. */
const isDatabaseFailure = (exchange: Exchange): boolean =>
  exchange.kind !== 'hot' && exchange.kind !== 'live' && isFastFailure(exchange);

/** Returns true if an answer other than success is allowed while this part is broken. */
const mayFail = (part: Part, exchange: Exchange): boolean => {
  if (part === 'process') return exchange.status === 0 || isFastFailure(exchange);
  return part === 'database' && isDatabaseFailure(exchange);
};

const isBusy = ({ noise }: Moments): boolean => (noise?.ms ?? 0) > BUSY_MS;

/** Returns true if the machine explains a failure. */
const isExcused = (exchange: Exchange, { ms, stalls }: Noise): boolean =>
  exchange.shed ||
  (ms > BUSY_MS && (exchange.status === 0 || isFastFailure(exchange))) ||
  (isDatabaseFailure(exchange) && stalls.some((stall) => stall.at < end(exchange) && exchange.at < end(stall)));

/** The promised times that were not kept. */
const listLate = (exchanges: readonly Exchange[], moments: Moments): string[] => {
  const { downAfter, backAfter } = computeReadiness(exchanges, moments);
  const late = exchanges.filter(({ ms }) => ms > LATEST_ANSWER_MS + (moments.noise?.ms ?? 0));
  return [
    ...summarise(late).map((text) => `later than 2 s: ${text}`),
    ...((downAfter ?? 0) > READY_DOWN_S ? [`not ready after ${downAfter} s only`] : []),
    ...((backAfter ?? 0) > READY_BACK_S ? [`ready again after ${backAfter} s only`] : []),
  ];
};

const listBrokenPromises = (
  part: Part,
  exchanges: readonly Exchange[],
  moments: Moments,
  balance: Balance,
): string[] => {
  const { noise } = moments;
  const wrong = exchanges.filter(
    (exchange) => !isGood(exchange) && !mayFail(part, exchange) && !(noise && isExcused(exchange, noise)),
  );
  return [
    ...(isBusy(moments) ? [] : listLate(exchanges, moments)),
    ...summarise(wrong).map((text) => `not promised: ${text}`),
    ...balance.lost.map((key) => `lost: ${key}`),
    ...balance.doubled.map((key) => `doubled: ${key}`),
  ];
};

/** If the database was away for long, readiness must have failed, and served answers must have shown their age. */
const listUnnoticed = (part: Part, exchanges: readonly Exchange[], moments: Moments): string[] => {
  const { struck, curable } = moments;
  if (part !== 'database' || curable - struck < NOTICED_MS || isBusy(moments)) return [];
  const later = exchanges.filter(({ at, ms }) => at > struck + NOTICED_MS && at + ms < curable);
  return [
    ...(later.some(({ kind, status }) => kind === 'ready' && status === 200) ? ['ready without a database'] : []),
    ...(later.some(({ kind, age }) => kind === 'hot' && age === 0) ? ['answers without Age'] : []),
  ];
};

/** The noise of the machine, by requests that wait for nothing and by `writes` that went straight to the database. */
export const computeNoise = (exchanges: readonly Exchange[], writes: readonly Span[]): Noise => {
  const live = exchanges.filter(({ kind }) => kind === 'live');
  return {
    ms: Math.max(0, ...live.map(({ ms }) => ms)),
    stalls: [...live, ...writes].filter(({ ms }) => ms > STALL_MS),
  };
};

export const judge = (
  fault: string,
  part: Part,
  exchanges: readonly Exchange[],
  moments: Moments,
  balance: Balance,
): FaultRow => {
  const { began, curable, ended } = moments;
  const hot = exchanges.filter(({ kind }) => kind === 'hot');
  const lastTrouble = Math.max(0, ...exchanges.filter(isTrouble).map(end));
  return {
    fault,
    load: exchanges.length / ((ended - began) / 1000),
    answered: exchanges.filter((exchange) => exchange.status > 0 && !isFastFailure(exchange)).length,
    failedFast: exchanges.filter(isFastFailure).length,
    noConnection: exchanges.filter(({ status }) => status === 0).length,
    hot: { served: hot.filter(isGood).length, asked: hot.length },
    worstMs: Math.max(...exchanges.map(({ ms }) => ms)),
    acknowledged: balance.acknowledged,
    lost: balance.lost.length,
    doubled: balance.doubled.length,
    ...computeReadiness(exchanges, moments),
    recovery: toSeconds(lastTrouble - curable),
    isBusy: isBusy(moments),
    broken: [...listBrokenPromises(part, exchanges, moments, balance), ...listUnnoticed(part, exchanges, moments)],
  };
};
