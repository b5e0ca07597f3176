/** Formats the results of a soak as text, and finds the broken promises. */
import type { Flood } from './flood.ts';
import type { Balance } from './ledger.ts';
import type { Exchange } from './load.ts';
import { machine } from './report.ts';
import type { ResourceUsage } from './watch.ts';

export interface SoakResult {
  readonly seed: number;
  readonly seconds: number;
  /** One for each part of the soak. */
  readonly floods: readonly Flood[];
  /** Measured after each part. */
  readonly held: readonly ResourceUsage[];
  /** Names of the faults that occurred. */
  readonly made: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly unsettled: readonly string[];
  readonly balance: Balance;
  /** Output of the service. */
  readonly output: string;
}

/** Number of parts until all bounded resources have reached their bounds, and number of parts to compare. */
const WARM = 3;
const COMPARED = 3;
const LATEST_ANSWER_MS = 2000;

/** The growth that a figure may have, since caches fluctuate: a share, plus a number of units. */
const MARGIN: Readonly<Record<keyof ResourceUsage, readonly [share: number, units: number]>> = {
  heap: [0.1, 4],
  resident: [0.15, 20],
  // The connection pool to the database has up to 50 connections.
  files: [0, 60],
  resources: [0, 60],
};
const KEYS = Object.keys(MARGIN) as (keyof ResourceUsage)[];

const findMost = (held: readonly ResourceUsage[], key: keyof ResourceUsage): number =>
  Math.max(...held.map((each) => each[key]));

/** Highest values after the warm-up and at the end. */
const growth = (held: readonly ResourceUsage[], key: keyof ResourceUsage) => ({
  early: findMost(held.slice(WARM - 1, WARM - 1 + COMPARED), key),
  late: findMost(held.slice(-COMPARED), key),
});

const growths = (held: readonly ResourceUsage[]): string[] =>
  KEYS.flatMap((key) => {
    const { early, late } = growth(held, key);
    const [share, units] = MARGIN[key];
    return late > early * (1 + share) + units ? [`${key} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`] : [];
  });

const sum = (floods: readonly Flood[], key: 'good' | 'refused' | 'wrong'): number =>
  floods.reduce((total, flood) => total + flood[key], 0);

const counted = (names: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} (${count})`).join(', ');
};

const ROWS: readonly (readonly [string, keyof ResourceUsage])[] = [
  ['heap after a collection, MB', 'heap'],
  ['resident memory, MB', 'resident'],
  ['open files and sockets', 'files'],
  ['timers, sockets and requests', 'resources'],
];

const table = (held: readonly ResourceUsage[]): string =>
  [
    ['held', ...held.map((_, at) => `${at + 1}/${held.length}`)],
    ['---', ...held.map(() => '---')],
    ...ROWS.map(([name, key]) => [name, ...held.map((each) => each[key].toFixed(0))]),
  ]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');

export const formatSoakReport = (soaked: SoakResult): { readonly text: string; readonly broken: readonly string[] } => {
  const { seed, seconds, floods, held, made, exchanges, unsettled, balance, output } = soaked;
  const worst = Math.max(...floods.map(({ worstMs }) => worstMs), ...exchanges.map(({ ms }) => ms));
  const dead = exchanges.filter(({ kind, status }) => kind === 'live' && status !== 200).length;
  const broken = [
    ...growths(held),
    ...(/MaxListenersExceededWarning/.test(output) ? ['listeners are left behind'] : []),
    ...(worst > LATEST_ANSWER_MS ? [`an answer took ${(worst / 1000).toFixed(1)} s`] : []),
    ...(sum(floods, 'wrong') > 0 ? [`${sum(floods, 'wrong')} answers were neither 200 nor 503`] : []),
    ...(dead > 0 ? [`liveness failed ${dead} times`] : []),
    ...[...balance.lost, ...unsettled].map((key) => `lost: ${key}`),
    ...balance.doubled.map((key) => `doubled: ${key}`),
  ];
  const [good, refused] = [sum(floods, 'good'), sum(floods, 'refused')];
  const text = [
    `${good + refused + sum(floods, 'wrong')} requests in ${seconds.toFixed(0)} s, of which ${refused} were ` +
      `refused by 503; the worst took ${(worst / 1000).toFixed(2)} s.`,
    `${balance.acknowledged} writes were acknowledged, ${balance.lost.length} lost, ${balance.doubled.length} doubled.`,
    `Faults: ${counted(made)}.`,
    table(held),
    ...broken.map((line) => `Not kept: ${line}`),
    `${machine()}; seed ${seed}.`,
  ];
  return { text: text.join('\n\n'), broken };
};
