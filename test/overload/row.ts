import { type Burst, TOGETHER } from './burst.ts';
import type { OverloadResult } from './measure.ts';

const BEGIN = '<!-- overload: written by npx -y pnpm overload --write -->';
const END = '<!-- /overload -->';

const HEAD = [
  'workers',
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

/** A measurement, and its number of workers. */
type OverloadMeasurement = OverloadResult & { readonly workers?: number };

const toRow = (measured: OverloadMeasurement): string[] => {
  const { connections, capacity, perSecond, loaded, health, memory, recoveryMs, slowdown } = measured;
  const times = (status: string): string[] => {
    const { count = 0, p50 = '–', p99 = '–', worst = '–' } = loaded.byStatus[status] ?? {};
    return [(count / loaded.seconds).toFixed(0), `${p50} / ${p99} / ${worst}`];
  };
  return [
    String(measured.workers ?? 1),
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

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The measurements as a Markdown table. */
export const formatTable = (measured: readonly OverloadMeasurement[]): string => markdown(HEAD, measured.map(toRow));

const BURST_HEAD = [
  'requests at once',
  'busy processes beside',
  'answered',
  'refused',
  'given up by deadline',
  'worst ms',
];

/** Table of bursts, each with its number of busy processes. */
export const formatBurstTable = (bursts: readonly (readonly [busy: number, burst: Burst])[]): string =>
  markdown(
    BURST_HEAD,
    bursts.map(([busy, { byStatus, refused, worstMs }]) => {
      const { 200: read = 0, 201: written = 0, 503: unavailable = 0 } = byStatus;
      return [TOGETHER, busy, read + written, refused, unavailable - refused, worstMs].map(String);
    }),
  );

/**
 * The page with the table in its place.
 * @throws Error where the page has no place for it
 */
export const withTable = (page: string, table: string): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`;
};
