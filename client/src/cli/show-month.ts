import type { MonthProblem } from '@broker-transparency/client/verify/node';
import type { MonthCheck, MonthCopy } from './service-level.ts';
import { type Cell, plain, section } from './table.ts';

/** Findings that are printed. */
const SHOWN = 50;

const LEVELS = {
  logged: 'the log alone vouches for its entries. Without witnesses its operator could show somebody else others',
  witnessed: 'enough witnesses have seen the same log',
};

/** Writes a part of one, which has six digits, in hundredths. */
const formatPercent = (part: number | null): string => (part === null ? '–' : `${(part * 100).toFixed(4)} %`);

const formatIsMet = (isMet: boolean | null): string => (isMet === null ? 'not measured' : isMet ? 'kept' : 'NOT kept');

const NAMES = {
  publicReads: 'public reads',
  enterpriseReads: 'enterprise reads',
  freshness: 'freshness',
  webhooks: 'webhooks',
} as const;

/** Returns where a problem is, and what it is. */
const formatProblem = ({ prober, date, line, lastLine, why }: MonthProblem): string => {
  const lines =
    line === undefined ? undefined : lastLine === undefined ? `line ${line}` : `lines ${line} to ${lastLine}`;
  const place = [prober, date, lines].filter((each) => each !== undefined).join(', ');
  return place === '' ? why : `${place}: ${why}`;
};

const toFigureRows = ({ figures }: MonthCheck): (readonly Cell[])[] => [
  ['minutes', `${figures.minutes}, from ${figures.from} to ${figures.to}`, ''],
  ['up', `${figures.up}`, ''],
  ['unmeasured', `${figures.unmeasured}, which count as down`, ''],
  ['availability', `${formatPercent(figures.availability)}`, formatIsMet(figures.isMet)],
  ...Object.entries(NAMES).map(([name, title]) => {
    const { percentile, limitMs, count, ms, isMet } = figures.speeds[name as keyof typeof NAMES];
    const measured = ms === null ? 'no results' : `p${percentile} ${ms} ms of ${count}, promised ${limitMs} ms`;
    return [title, measured, formatIsMet(isMet)];
  }),
  ['credit', `${figures.credit} % of the price of the month`, ''],
];

const formatVerdict = ({ fits, published }: MonthCheck): string => {
  if (!fits) return 'DOES NOT FIT.';
  return published === null
    ? 'Fits, as far as these probers go: the figures of the service are those of all.'
    : `Fits: the results give the figures of the service's entry ${published.entry}, to the digit.`;
};

export const showMonth = (check: MonthCheck): string => {
  const { month, objectives, level, outages, problems, differences } = check;
  const more = problems.length - SHOWN;
  return [
    `Service level of ${month}, by the objectives ${plain(objectives)}`,
    ...section('From the results', ['', '', ''], toFigureRows(check)),
    ...section(
      'Outages',
      ['from', 'to', 'minutes', 'of them unmeasured'],
      outages.map(({ from, to, minutes, unmeasured }) => [from, to, minutes, unmeasured]),
    ),
    ...section(
      'The service says something else',
      ['figure', 'service', 'results'],
      differences.map(({ figure, published, recomputed }) => [
        figure,
        JSON.stringify(published).slice(0, 60),
        JSON.stringify(recomputed).slice(0, 60),
      ]),
    ),
    '',
    ...(level === null ? [] : [`Proven: ${LEVELS[level]}.`]),
    ...problems.slice(0, SHOWN).map((problem) => `WRONG: ${plain(formatProblem(problem))}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    formatVerdict(check),
  ].join('\n');
};

export const showMonthCopy = ({ month, files, missing }: MonthCopy): string => {
  const more = missing.length - SHOWN;
  return [
    `${files} files of ${plain(month)}`,
    ...missing.slice(0, SHOWN).map(({ path, why }) => `MISSING: ${plain(path)}: ${plain(why)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    missing.length === 0 ? 'Complete: `service-level check` recomputes the month from it.' : 'NOT COMPLETE.',
  ].join('\n');
};
