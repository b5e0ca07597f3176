import { readFileSync } from 'node:fs';
import type { CheckLimit } from '../src/ledger/checks.rule.ts';
import { CHECKS } from '../src/operate/signals/read.ts';
import { formatAge } from '../src/operate/signals/signals.rule.ts';

export const STATUS_FILE = new URL('../../docs/operating/observability.md', import.meta.url);
const BEGIN = '<!-- The checks of all modules: npx -y pnpm docs:write -->';
const END = '<!-- end of the checks -->';

const formatLimit = ({ atLeast, below, olderThan, never, neverForDays }: CheckLimit): string =>
  [
    ...(atLeast === undefined ? [] : [`${atLeast}`]),
    ...(below === undefined ? [] : [`below ${below} %`]),
    ...(olderThan === undefined ? [] : [formatAge(new Date(0), new Date(olderThan))]),
    ...(never ? ['never'] : []),
    ...(neverForDays === undefined ? [] : [`never in ${neverForDays} days`]),
  ].join(', or ');

/** Returns the page about observing with a new table of the checks of `status`. */
export const renderStatusPage = (): string => {
  const rows = CHECKS.map(
    ([name, { what, look, act }]) =>
      `| \`${name}\` | ${what} | ${formatLimit(look)} | ${act ? formatLimit(act) : '–'} |`,
  );
  const table = ['| signal | counts, or tells the age of | `look` from | `act` from |', '|---|---|---|---|', ...rows];
  const text = readFileSync(STATUS_FILE, 'utf8');
  return `${text.slice(0, text.indexOf(BEGIN))}${[BEGIN, '', ...table].join('\n')}\n\n${text.slice(text.indexOf(END))}`;
};
