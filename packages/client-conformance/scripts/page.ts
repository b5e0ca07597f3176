import { readFileSync } from 'node:fs';
import { COMMON_CHECKS } from '../src/checks.ts';
import { SCENARIOS } from '../src/scenarios/index.ts';

export const PAGE = new URL('../../../docs/conformance.md', import.meta.url);

const [BEGIN, END] = ['<!-- scenarios -->', '<!-- end of scenarios -->'];

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

const describeRules = (checks: readonly { readonly level: string; readonly says: string }[]): string =>
  ['must', 'should']
    .map((level) => [level, checks.filter((check) => check.level === level).map(({ says }) => says)] as const)
    .filter(([, rules]) => rules.length > 0)
    .map(([level, rules]) => `*${level}:* ${rules.join('; ')}`)
    .join('. ');

const buildTable = (): string =>
  [
    `Every scenario: ${describeRules(COMMON_CHECKS)}.`,
    '',
    '| scenario | the server | why it matters | the client |',
    '|---|---|---|---|',
    ...SCENARIOS.map(
      ({ name, server, why, checks }) =>
        `| ${[`\`${name}\``, server, why, describeRules(checks)].map(escapeCell).join(' | ')} |`,
    ),
  ].join('\n');

/** Returns the page as it is, and with the table of the scenarios as they are. */
export const readPage = (): { readonly now: string; readonly wanted: string } => {
  const now = readFileSync(PAGE, 'utf8');
  const [before, after] = [now.indexOf(BEGIN), now.indexOf(END)];
  if (before < 0 || after < 0)
    throw new Error(`${PAGE.pathname} has no place for the table, between ${BEGIN} and ${END}`);
  return { now, wanted: `${now.slice(0, before)}${BEGIN}\n${buildTable()}\n${now.slice(after)}` };
};
