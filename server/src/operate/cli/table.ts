import { createRequire } from 'node:module';
import { lazy } from '../../platform/lazy.ts';

/** Loading this library takes 60 ms, since it compiles large patterns. Most commands do not need it. */
const loadStringWidth = lazy(() => createRequire(import.meta.url)('string-width').default as (text: string) => number);

/** Texts of which each character takes one column: Latin letters without combining marks, and dashes and quotes. */
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u024f\u2010-\u2026]*$/;

/** Returns how many columns of a terminal a text takes. */
export const measureWidth = (text: string): number => (NARROW.test(text) ? text.length : loadStringWidth()(text));

const GAP = 2;
/**
 * Columns whose text may be cut: names and titles. Identifiers, commands, lists, numbers and errors are of no use cut.
 */
const CUT_COLUMNS: ReadonlySet<string> = new Set(['name', 'legal name', 'title', 'headline', 'description']);
/** A cut column keeps so many columns of the terminal, so that its beginning tells what it is. */
const LEAST = 12;
const CUT = '…';

const padCell = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - measureWidth(cell)));

/** Cuts a text to a number of terminal columns, between characters as people see them. */
export const cutText = (text: string, width: number): string => {
  if (measureWidth(text) <= width) return text;
  let [kept, used] = ['', CUT.length];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    used += measureWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${CUT}`;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * Returns widths that fit: columns that may be cut shrink, the widest first. Returns undefined if that is not enough.
 */
const fitWidths = (widths: readonly number[], canCut: readonly boolean[], room: number): number[] | undefined => {
  const toCapped = (most: number) => widths.map((width, at) => (canCut[at] ? Math.min(width, most) : width));
  let most = Math.max(...widths);
  while (most > LEAST && sum(toCapped(most)) > room) most--;
  const fitted = toCapped(most);
  return sum(fitted) <= room ? fitted : undefined;
};

/** Formats a row as one line per field. */
const formatBlock = (names: readonly string[], cells: readonly string[]): string => {
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name, at) => `${name.padEnd(width)}  ${cells[at]}`).join('\n');
};

/**
 * Formats rows as a table. In a terminal that is too narrow, names and titles are cut; where that is not enough, each
 * row is a block of lines, and nothing is cut.
 * @param columns width of the terminal; undefined for a table of any width
 */
export const formatTable = (
  names: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): string => {
  const lines = [names, ...rows];
  const widths = names.map((_, at) => Math.max(...lines.map((cells) => measureWidth(cells[at] ?? ''))));
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - GAP * (names.length - 1);
  const fitted = fitWidths(
    widths,
    names.map((name) => CUT_COLUMNS.has(name)),
    room,
  );
  if (!fitted) return rows.map((cells) => formatBlock(names, cells)).join('\n\n');
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => padCell(cutText(cell, fitted[at] ?? 0), fitted[at] ?? 0))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n');
};
