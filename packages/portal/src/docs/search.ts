import { PROBLEM_CODES, PROBLEMS } from '@broker-transparency/contract';
import MiniSearch from 'minisearch';
import { CONTENTS, toGuideSlug } from './contents.ts';
import type { Library } from './library.ts';
import { listCalls, referencePath } from './reference.ts';

/** A searchable place in the documentation. */
export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  /** Title of its page; empty if the place is the page itself. */
  readonly page: string;
  /** Its address without the language. */
  readonly path: string;
  /** Its sentences, without samples of code. */
  readonly text: string;
  /** Its samples of code. */
  readonly code: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Returns the HTML of a guide as plain text. */
const toPlainText = (html: string): string =>
  html
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[a-z#0-9]+;/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();

const SAMPLE = /<pre.*?<\/pre>/gs;

/** Splits the HTML of a guide into its sentences and its samples of code, as plain text. */
const splitSamples = (html: string): Pick<SearchEntry, 'text' | 'code'> => ({
  text: toPlainText(html.replace(SAMPLE, ' ')),
  code: toPlainText(html.match(SAMPLE)?.join(' ') ?? ''),
});

const listGuideEntries = ({ guides, guide }: Library): Omit<SearchEntry, 'id'>[] =>
  guides().flatMap(({ name, title, lead, headings }) => {
    const path = name.startsWith('methodology') ? `/${name.replace('-', '/')}` : `/docs/guides/${name}`;
    const [first = '', ...sections] = (guide(name) ?? '').split(/(?=<h[23] id=)/);
    const opening = splitSamples(first);
    return [
      { title, page: '', path, ...opening, text: opening.text || lead },
      ...sections.map((section) => {
        const id = /^<h\d id="([^"]*)"/.exec(section)?.[1] ?? '';
        const heading = headings.find((one) => one.id === id);
        const body = splitSamples(section.slice(section.indexOf('</h') + '</h2>'.length));
        return { title: heading?.title ?? title, page: title, path: `${path}#${id}`, ...body };
      }),
    ];
  });

/** Returns every place of the documentation: sections of guides, calls, and problems. */
export const listEntries = (library: Library): SearchEntry[] => {
  const calls = library.apis().flatMap((api) =>
    listCalls(api).map((call) => ({
      title: call.operation.summary,
      page: `${call.method} ${call.path}`,
      path: referencePath(api, call),
      text: call.operation.description ?? '',
      code: '',
    })),
  );
  const problems = PROBLEM_CODES.map((code) => ({
    title: PROBLEMS[code].title,
    page: code,
    path: `/problems/${code}`,
    text: PROBLEMS[code].cure,
    code: '',
  }));
  return [...calls, ...problems, ...listGuideEntries(library)].map((place, id) => ({ ...place, id }));
};

/** Maximum number of results. */
export const MOST_FOUND = 20;

/** Number of places that are indexed before other work runs. */
const CHUNK = 20;

const indexes = new WeakMap<Library, Promise<MiniSearch<SearchEntry>>>();

/** Factor of pages as a whole, which come before their sections. */
const WHOLE_PAGE = 1.5;

/** Factor of operators' guides, which come after those that everybody reads. */
const OPERATING = 0.6;

const FOR_OPERATORS = new Set(
  CONTENTS.filter(({ isForOperators }) => isForOperators).flatMap(({ guides }) =>
    guides.map((guide) => `/docs/guides/${toGuideSlug(guide)}`),
  ),
);

/** Returns the factor by which the score of a place is multiplied. */
const rankPlace = ({ path, page }: Pick<SearchEntry, 'path' | 'page'>): number =>
  (page === '' ? WHOLE_PAGE : 1) * (FOR_OPERATORS.has(path.replace(/#.*/, '')) ? OPERATING : 1);

const createIndex = async (library: Library): Promise<MiniSearch<SearchEntry>> => {
  const index = new MiniSearch<SearchEntry>({
    fields: ['title', 'page', 'text', 'code'],
    storeFields: ['title', 'page', 'path', 'text', 'code'],
    searchOptions: {
      boost: { title: 4, page: 2, code: 0.1 },
      boostDocument: (_id, _term, place) => rankPlace(place as Pick<SearchEntry, 'path' | 'page'>),
      prefix: (term) => term.length > 1,
      combineWith: 'AND',
    },
  });
  await index.addAllAsync(listEntries(library), { chunkSize: CHUNK });
  return index;
};

/** Returns the index of a library. It is built once, in steps that do not block, and again after a failure. */
const getIndex = (library: Library): Promise<MiniSearch<SearchEntry>> => {
  const known = indexes.get(library);
  if (known) return known;
  const made = createIndex(library);
  indexes.set(library, made);
  made.catch(() => indexes.delete(library));
  return made;
};

/** Starts building the index, so that the first search of a busy process need not wait. */
export const prepareSearch = (library: Library): void => {
  getIndex(library).catch(() => undefined); // a search reports the error
};

/** Share of a word's letters that may differ, where no place has the word as it is written. */
const MISSPELT = 0.15;

/** Searches the documentation. */
export const searchDocs = async (library: Library, query: string): Promise<{ found: SearchEntry[]; count: number }> => {
  const index = await getIndex(library);
  const exact = index.search(query);
  const results = exact.length > 0 ? exact : index.search(query, { fuzzy: MISSPELT });
  return { found: results.slice(0, MOST_FOUND) as unknown as SearchEntry[], count: results.length };
};

/** Maximum length of an excerpt, in characters. */
const EXCERPT = 180;

/** Returns the beginning of a text, or the surroundings of the first search word. */
export const cutExcerpt = (text: string, query: string): string => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)));
  if (!Number.isFinite(at) || at < EXCERPT / 2) return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  const from = text.indexOf(' ', at - EXCERPT / 3) + 1;
  return `… ${text.slice(from, from + EXCERPT)}${from + EXCERPT < text.length ? '…' : ''}`;
};
