import { readdirSync, readFileSync } from 'node:fs';
import { FRESH_DAYS } from '../../server/src/features/regulators/staleness.rule.ts';

const resolveUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const readJson = <T>(path: string): T => JSON.parse(readFileSync(resolveUrl(path), 'utf8')) as T;

interface Regulator {
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly registerUrl: string;
}

/** The fields of a mapping file that the page needs. */
interface Mapping {
  readonly kind: string;
  readonly name: string;
  readonly regulators: readonly string[];
}

const readMappings = (): Mapping[] => {
  try {
    return readdirSync(resolveUrl('server/data/sources'))
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => readJson<Mapping>(`server/data/sources/${file}`));
  } catch {
    return [];
  }
};

const formatNames = (of: readonly Mapping[], code: string): string =>
  of
    .filter(({ regulators }) => regulators.includes(code))
    .map(({ name }) => `\`${name}\``)
    .join(', ') || '–';

export const PAGE_FILE = resolveUrl('docs/operating/regulators.md');

const BEGIN = '<!-- written by pnpm docs:write, from server/data -->';

/** Returns the page with new tables. The text before them is written by hand. */
export const renderPage = (): string => {
  const regulators = readJson<Regulator[]>('server/data/regulators.json');
  const guide = readJson<Record<string, string>>('server/data/register-guide.json');
  const all = readMappings();
  const [licences, warnings] = ['licences', 'warnings'].map((kind) => all.filter((one) => one.kind === kind)) as [
    Mapping[],
    Mapping[],
  ];
  const fed = regulators.filter(({ code }) => licences.some((one) => one.regulators.includes(code))).length;
  const rows = regulators.map(
    ({ code, name, country, registerUrl }) =>
      `| \`${code}\` | ${name}, ${country} | <${registerUrl}> | ${guide[code] ?? ''} | ${formatNames(licences, code)} | ` +
      `${formatNames(warnings, code)} |`,
  );
  const text = readFileSync(PAGE_FILE, 'utf8');
  return [
    text.slice(0, text.indexOf(BEGIN)) + BEGIN,
    '',
    `The service reads licences of ${fed} of these ${regulators.length} regulators from files. There a check is valid for ${FRESH_DAYS.file} days, elsewhere`,
    `for ${FRESH_DAYS.byHand}.`,
    '',
    '| code | authority | register | by hand | file of licences | file of warnings |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
};
