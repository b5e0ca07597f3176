import type { Overloaded } from './measure.ts';

const BEGIN = '<!-- overload: written by npx -y pnpm overload --write -->';
const END = '<!-- /overload -->';

const HEAD = [
  'load',
  'seconds',
  'answered',
  'p50 / p99 / worst ms',
  'refused',
  'p50 / p99 / worst ms',
  'lost',
  'health, worst ms',
  'memory, halves MB',
  'recovery ms',
  'slowdown',
];

/** What was measured, as a table of Markdown. */
export const tableOf = (measured: Overloaded): string => {
  const { capacity, perSecond, flooded, health, memory, recoveryMs, slowdown } = measured;
  const times = (status: string): string[] => {
    const { count = 0, p50 = '–', p99 = '–', worst = '–' } = flooded.byStatus[status] ?? {};
    return [String(count), `${p50} / ${p99} / ${worst}`];
  };
  const row = [
    `${perSecond} a second (capacity ${capacity})`,
    flooded.seconds.toFixed(0),
    ...times('200'),
    ...times('503'),
    flooded.lost,
    `${health.worstMs}${health.refused > 0 ? ` (${health.refused} refused)` : ''}`,
    memory.join(' / '),
    recoveryMs,
    slowdown.toFixed(1),
  ];
  return [HEAD, HEAD.map(() => '---'), row].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** The page with the table in its place. @throws Error where it has none */
export const withTable = (page: string, table: string): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`;
};
