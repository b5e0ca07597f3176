import type { CorpusComparison, CorpusDifference, Count } from './compare.ts';

/** Number of differences to show. Equal ones count once. */
const FIRST = 20;

const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

/** Describes one of several pages of a kind that differ in the same places. */
const describe = ([first, ...alike]: readonly CorpusDifference[]): string[] => {
  const { page, lines } = first as CorpusDifference;
  const { kind, method, target, sent, content } = page;
  return [
    shorten(`${kind}: ${method} ${target}`),
    ...sent.map((line) => shorten(`  > ${line}`)),
    ...(content === undefined ? [] : [shorten(`  > ${content}`)]),
    ...lines.map((line) => `  ${line}`),
    ...(alike.length > 0 ? [`  and ${alike.length} more of this kind in the same places`] : []),
  ];
};

/** The places of a difference, without their values. */
const formatPlaces = ({ page, lines }: CorpusDifference): string =>
  JSON.stringify([page.kind, lines.map((line) => line.split(': ', 1)[0])]);

const COLUMNS = ['same', 'changed', 'missing', 'added'] as const;

const row = (name: string, count: Count): string =>
  `${name.padEnd(24)}${COLUMNS.map((column) => String(count[column]).padStart(9)).join('')}`;

const total = (counts: CorpusComparison['counts']): Count => {
  const sum = (column: keyof Count) => counts.values().reduce((all, count) => all + count[column], 0);
  return { same: sum('same'), changed: sum('changed'), missing: sum('missing'), added: sum('added') };
};

/** Formats a comparison for people: the first differences, then the numbers by kind of page. */
export const report = ({ differences, counts }: CorpusComparison): string => {
  const groups = [...Map.groupBy(differences, formatPlaces).values()];
  const shown = groups.slice(0, FIRST).flatMap(describe);
  const rest = groups.slice(FIRST).flat().length;
  return [
    ...shown,
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    ...(shown.length > 0 ? [''] : []),
    `${'kind of page'.padEnd(24)}${COLUMNS.map((column) => column.padStart(9)).join('')}`,
    ...[...counts].map(([kind, count]) => row(kind, count)),
    row('all', total(counts)),
    '',
  ].join('\n');
};
