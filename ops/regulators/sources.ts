import { readdirSync, readFileSync } from 'node:fs';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** The fields of a mapping file that the page needs. */
interface Mapping {
  readonly kind: string;
  readonly name: string;
  readonly title: string;
  readonly covers: string;
  readonly page: string;
  readonly regulators: readonly string[];
  readonly terms: { readonly license: string | null; readonly use: string };
  readonly keepsEnded?: boolean;
  readonly newestOnly?: boolean;
  readonly matchBy?: readonly string[];
  readonly status?: { readonly words?: Readonly<Record<string, readonly string[]>>; readonly empty?: string | null };
  readonly end?: unknown;
}

const mappings = (): Mapping[] =>
  readdirSync(at('server/data/sources'))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(at(`server/data/sources/${file}`), 'utf8')) as Mapping);

export const SOURCES_FILE = at('docs/operating/data-in.md');

const BEGIN = '<!-- written by pnpm docs:write, from server/data/sources -->';
const END = '<!-- end of what is generated -->';

const codes = ({ regulators }: Mapping): string =>
  regulators.length > 3 ? `${regulators.length} of them` : regulators.map((code) => `\`${code}\``).join(', ') || '–';

const terms = ({ terms: { license, use } }: Mapping): string =>
  ({ open: license ?? 'open', unknown: 'unknown', 'by-hand': 'by hand' })[use] ?? use;

const common = (one: Mapping): string[] => [
  `\`${one.name}\``,
  codes(one),
  `[${one.title}](${one.page}). ${one.covers}`,
  terms(one),
];

/** Returns the meaning of each word for a status. */
const meaning = ({ status: { words = {}, empty } = {}, end }: Mapping): string =>
  [
    ...Object.entries(words).map(([code, said]) => `${code}: ${said.map((word) => `"${word}"`).join(', ')}`),
    ...(empty ? [`${empty}: ${Object.keys(words).length === 0 ? 'whoever is listed' : 'an empty cell'}`] : []),
    ...(end === undefined ? [] : ['withdrawn: from the day of the end']),
  ].join('; ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** Returns the page about data with new tables of sources. */
export const formatSources = (): string => {
  const all = mappings();
  const of = (kind: string): Mapping[] => all.filter((one) => one.kind === kind);
  const head = ['source', 'regulators', 'file', 'terms'];
  const lines = [
    '',
    ...table(
      [...head, 'keeps ended', 'found by', 'which word means what'],
      of('licences').map((one) => [
        ...common(one),
        one.keepsEnded ? 'yes' : 'no',
        (one.matchBy ?? []).join(', '),
        meaning(one),
      ]),
    ),
    '',
    'Lists of warnings:',
    '',
    ...table(
      [...head, 'whole'],
      of('warnings').map((one) => [...common(one), one.newestOnly ? 'newest only' : 'yes']),
    ),
    '',
    'Identities:',
    '',
    ...table(head, of('identities').map(common)),
  ];
  const text = readFileSync(SOURCES_FILE, 'utf8');
  return `${text.slice(0, text.indexOf(BEGIN))}${[BEGIN, ...lines].join('\n')}\n${text.slice(text.indexOf(END))}`;
};
