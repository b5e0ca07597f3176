import type { Overloaded } from './measure.ts';

const BEGIN = '<!-- overload: written by npx -y pnpm overload --write -->';
const END = '<!-- /overload -->';

const HEAD = [
  'connections',
  'load, requests/s',
  'capacity',
  'seconds',
  'answered, requests/s',
  'p50 / p99 / worst ms',
  'refused, requests/s',
  'p50 / p99 / worst ms',
  'lost',
  'sent late, p99 / worst ms',
  'health, worst ms',
  'memory, halves MB',
  'recovery ms',
  'slowdown',
];

const rowOf = (measured: Overloaded): string[] => {
  const { connections, capacity, perSecond, loaded, health, memory, recoveryMs, slowdown } = measured;
  const times = (status: string): string[] => {
    const { count = 0, p50 = '–', p99 = '–', worst = '–' } = loaded.byStatus[status] ?? {};
    return [(count / loaded.seconds).toFixed(0), `${p50} / ${p99} / ${worst}`];
  };
  return [
    connections,
    String(perSecond),
    String(capacity),
    loaded.seconds.toFixed(0),
    ...times('200'),
    ...times('503'),
    String(loaded.lost),
    `${loaded.late.p99} / ${loaded.late.worst}`,
    `${health.worstMs}${health.refused > 0 ? ` (${health.refused} refused)` : ''}`,
    memory.join(' / '),
    String(recoveryMs),
    slowdown.toFixed(1),
  ];
};

/** What was measured, as a table of Markdown. */
export const tableOf = (measured: readonly Overloaded[]): string =>
  [HEAD, HEAD.map(() => '---'), ...measured.map(rowOf)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The page with the table in its place. @throws Error where it has none */
export const withTable = (page: string, table: string): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`;
};
