/** Formats the results of trials as text. */
import { availableParallelism, cpus } from 'node:os';
import type { FaultRow } from './judge.ts';

/** The results of a run. */
export interface FaultResults {
  readonly seed: number;
  readonly rows: readonly FaultRow[];
  /** Faults that this machine cannot produce, with the reasons. */
  readonly untried: readonly string[];
}

const HEAD = [
  'fault',
  'load, requests/s',
  'answered',
  'failed fast',
  'no connection',
  'hot reads answered',
  'worst, s',
  'writes acknowledged',
  'lost',
  'doubled',
  'not ready after, s',
  'ready again after, s',
  'recovered after, s',
];

const seconds = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(1));

/** The cells of a row. */
export const cells = (row: FaultRow): string[] => [
  ...[row.fault, row.load.toFixed(0), row.answered, row.failedFast, row.noConnection].map(String),
  row.hot.served === row.hot.asked ? 'all' : `${row.hot.served} of ${row.hot.asked}`,
  (row.worstMs / 1000).toFixed(2),
  ...[row.acknowledged, row.lost, row.doubled].map(String),
  ...[row.downAfter, row.backAfter, row.recovery].map(seconds),
];

const table = (rows: readonly FaultRow[]): string =>
  [HEAD, HEAD.map(() => '---'), ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`).join('\n');

export const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'of unknown make'}), Node ${process.versions.node}`;

const notes = ({ rows, untried }: FaultResults): string[] => [
  ...untried.map((text) => `Not tried: ${text}.`),
  ...rows.flatMap(({ fault, broken }) => broken.map((text) => `Not kept: ${fault}: ${text}`)),
];

export const report = (results: FaultResults): string =>
  [table(results.rows), ...notes(results), `${machine()}; seed ${results.seed}.`].join('\n\n');

/**
 * The page with `text` in its section `name`.
 * @throws Error where the page has no such section
 */
export const withSection = (page: string, name: string, text: string): string => {
  const [start, end] = [`<!-- ${name}: written by \`pnpm ${name} --write\` -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no lines ${start} and ${end}`);
  return `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`;
};
