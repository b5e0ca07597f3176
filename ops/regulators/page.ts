import { readdirSync, readFileSync } from 'node:fs';
import { FRESH_DAYS, freshDays } from '../../server/src/features/regulators/staleness.rule.ts';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const json = <T>(path: string): T => JSON.parse(readFileSync(at(path), 'utf8')) as T;

interface Regulator {
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly registerUrl: string;
}

/** What the page needs of a mapping file. */
interface Mapping {
  readonly kind: string;
  readonly name: string;
  readonly regulators: readonly string[];
}

const mappings = (): Mapping[] => {
  try {
    return readdirSync(at('server/data/sources'))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => json<Mapping>(`server/data/sources/${file}`));
  } catch {
    return [];
  }
};

const namesOf = (of: readonly Mapping[], code: string): string =>
  of
    .filter(({ regulators }) => regulators.includes(code))
    .map(({ name }) => `\`${name}\``)
    .join(', ') || '–';

export const PAGE_FILE = at('docs/operating/regulators.md');

const BEGIN = '<!-- written by pnpm docs:write, from server/data -->';

/** Returns the page with its tables made anew; what stands before them is written by hand. */
export const pageText = (): string => {
  const regulators = json<Regulator[]>('server/data/regulators.json');
  const guide = json<Record<string, string>>('server/data/register-guide.json');
  const all = mappings();
  const [licences, warnings] = ['licences', 'warnings'].map((kind) => all.filter((one) => one.kind === kind)) as [
    Mapping[],
    Mapping[],
  ];
  const fed = regulators.filter(({ code }) => licences.some((one) => one.regulators.includes(code))).length;
  const rows = regulators.map(
    ({ code, name, country, registerUrl }) =>
      `| \`${code}\` | ${name}, ${country} | <${registerUrl}> | ${guide[code] ?? ''} | ${namesOf(licences, code)} | ` +
      `${namesOf(warnings, code)} | ${freshDays(code)} days |`,
  );
  const text = readFileSync(PAGE_FILE, 'utf8');
  return [
    text.slice(0, text.indexOf(BEGIN)) + BEGIN,
    '',
    `${regulators.length} regulators, ${fed} of them fed by files. A look counts for ${FRESH_DAYS.file} days where a file is`,
    `read, and for ${FRESH_DAYS.byHand} days where people look.`,
    '',
    '| code | authority | register | by hand | file of licences | file of warnings | a look counts for |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
};
