/** The results of a run as text. */
import type { ComparisonRow } from './measure.ts';
import type { BenchResults, Share } from './run.ts';
import type { Spread } from './spread.ts';

/** Two significant digits, whatever the size. */
const short = (value: number): string =>
  Number.isFinite(value) ? (value >= 99.5 ? value.toFixed(0) : value.toPrecision(2)) : '–';

const spread = ({ low, median, high }: Spread): string => `${short(median)} (${short(low)}–${short(high)})`;

const HEAD = ['scenario', 'server', 'CPU', 'throughput', 'p50', 'p99', 'ms', 'busy'];

const cells = (row: ComparisonRow): string[] => [
  row.scenario,
  row.server,
  ...[row.cpu, row.throughput, row.p50, row.p99].map(spread),
  `${short(row.milliseconds.p50)} / ${short(row.milliseconds.p99)}`,
  spread(row.busy),
];

const pad = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const markdown = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  return [head, `|${'---|'.repeat((rows[0] ?? []).length)}`, ...body].join('\n');
};

const isBaseline = (row: ComparisonRow, at: number, rows: readonly ComparisonRow[]): boolean =>
  rows[at - 1]?.scenario !== row.scenario;

/** Only a scenario's first row shows its name; the others are compared with that row. */
const table = (rows: readonly ComparisonRow[]): string[][] => [
  HEAD,
  ...rows.map((row, at) => (isBaseline(row, at, rows) ? cells(row) : ['', ...cells(row).slice(1)])),
];

const shares = (rows: readonly Share[], show: (value: number) => string): string =>
  rows.map(({ server, value }) => `${server}: ${show(value)}`).join('; ');

const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;
const megabytes = (value: number): string => `${value.toFixed(0)} MB`;

const others = ({ recall, memory }: BenchResults): string[] => [
  ...(recall.length > 0 ? [`Found among 20 in spite of a typo: ${shares(recall, percent)}.`] : []),
  ...(memory.length > 0 ? [`Resident memory after all of this: ${shares(memory, megabytes)}.`] : []),
];

export const terminalReport = (results: BenchResults): string =>
  [pad(table(results.rows)), ...others(results), `${results.machine}; ${results.rounds} rounds.`].join('\n\n');

const formatSize = ({ brokers, reviews }: BenchResults['sizes']['small']): string =>
  `${brokers.toLocaleString('en')} brokers with ${reviews.toLocaleString('en')} reviews`.replaceAll(',', ' ');

const START = '<!-- bench: written by `pnpm bench --write` -->';
const END = '<!-- /bench -->';

const section = (results: BenchResults): string => `${START}
![Ratios of CPU time and throughput](benchmarks.svg)

${results.machine}. ${results.rounds} rounds; small data: ${formatSize(results.sizes.small)}, large data: ${formatSize(results.sizes.large)}.

${markdown(table(results.rows))}

${others(results).join('\n\n')}
${END}`;

/**
 * The page with the results of this run in place of the previous ones.
 * @throws Error where the page has no place for them
 */
export const withResults = (page: string, results: BenchResults): string => {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the page has no lines ${START} and ${END}`);
  return page.slice(0, start) + section(results) + page.slice(end + END.length);
};
