/** Draws the ratios: medians with their quartiles on a logarithmic axis. */
import type { ComparisonRow } from './measure.ts';
import type { Spread } from './spread.ts';

const LINE = 16;
const GAP = 10;
const LEFT = 300;
const WIDTH = 420;
const TOP = 44;

const STYLE = `text{font:12px system-ui,sans-serif;fill:#1f2328}.b{font-weight:600}.n{fill:#59636e}
.g{stroke:#d1d9e0}.c{stroke:#0969da;fill:#0969da}.t{stroke:#bc4c00;fill:#bc4c00}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.n{fill:#9198a1}.g{stroke:#3d444d}
.c{stroke:#4493f8;fill:#4493f8}.t{stroke:#f0883e;fill:#f0883e}}`;

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** An axis in powers of ten that covers all values. */
const createAxis = (values: readonly number[]) => {
  const logs = values.filter((value) => value > 0 && Number.isFinite(value)).map(Math.log10);
  const from = Math.floor(Math.min(-1, ...logs));
  const to = Math.ceil(Math.max(0, ...logs));
  const at = (value: number): number =>
    LEFT + (WIDTH * (Math.min(to, Math.max(from, Math.log10(value))) - from)) / (to - from);
  return { at, ticks: Array.from({ length: to - from + 1 }, (_, n) => 10 ** (from + n)) };
};

/** The mark of a spread. Empty if the rounds were too short for a positive, finite figure. */
const mark = (kind: 'c' | 't', { low, median, high }: Spread, y: number, at: (value: number) => number): string =>
  !(low > 0 && Number.isFinite(high))
    ? ''
    : `<line class="${kind}" x1="${at(low).toFixed(1)}" x2="${at(high).toFixed(1)}" y1="${y}" y2="${y}" ` +
      'stroke-width="2"/>' +
      `<circle class="${kind}" cx="${at(median).toFixed(1)}" cy="${y}" r="3.5"/>`;

/** Draws all comparisons as SVG. The first server of a scenario is the 1 that the others are compared with. */
export const plot = (rows: readonly ComparisonRow[]): string => {
  const { at, ticks } = createAxis(
    rows.flatMap(({ cpu, throughput }) => [cpu.low, cpu.high, throughput.low, throughput.high]),
  );
  const parts: string[] = [];
  let y = TOP;
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.scenario !== row.scenario) {
      y += GAP + LINE;
      parts.push(`<text class="b" x="8" y="${y}">${escapeXml(row.scenario)}</text>`);
      parts.push(`<text class="n" x="${LEFT + WIDTH}" y="${y}" text-anchor="end">1 = ${escapeXml(row.server)}</text>`);
      continue;
    }
    y += LINE;
    parts.push(`<text x="20" y="${y}">${escapeXml(row.server)}</text>`);
    parts.push(mark('c', row.cpu, y - 6, at), mark('t', row.throughput, y - 1, at));
  }
  const bottom = y + GAP;
  const grid = ticks.map(
    (tick) =>
      `<line class="g" x1="${at(tick)}" x2="${at(tick)}" y1="${TOP}" y2="${bottom}"/>` +
      `<text class="n" x="${at(tick)}" y="${TOP - 6}" text-anchor="middle">${Number(tick.toPrecision(1))}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 24} ${bottom + 8}" role="img">
<title>CPU time and throughput as ratios; more is better</title>
<style>${STYLE}</style>
<circle class="c" cx="14" cy="14" r="3.5"/><text x="24" y="18">CPU time for an answer</text>
<circle class="t" cx="184" cy="14" r="3.5"/><text x="194" y="18">answers in the same time (more is better; line: quartiles)</text>
${[...grid, ...parts].join('\n')}
</svg>
`;
};
