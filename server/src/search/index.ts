import { SEARCH_RESULTS } from '@broker-transparency/contract';
import leven from 'leven';
import MiniSearch, { type SearchResult } from 'minisearch';
import type { BrokerDocument } from '../brokers/facts.ts';
import { queryTerms, words } from './terms.ts';

/** What of a broker can be found, as text per field. */
const FIELDS = {
  name: (broker: BrokerDocument) => broker.name,
  slug: (broker: BrokerDocument) => broker.slug,
  tradingNames: (broker: BrokerDocument) => broker.tradingNames.join(' '),
  domains: (broker: BrokerDocument) => broker.domains.join(' '),
  entities: (broker: BrokerDocument) =>
    [broker.legalName, ...broker.entities.map((entity) => entity.legalName)].join(' '),
  licenses: (broker: BrokerDocument) => broker.licenses.map((license) => license.referenceNumber).join(' '),
} as const;

/** What a word is worth by where it stands. */
const WORTH: Readonly<Record<keyof typeof FIELDS, number>> = {
  name: 4,
  slug: 3,
  tradingNames: 3,
  domains: 2,
  entities: 1,
  licenses: 1,
};

/** Short terms must be spelt right; a longer one may have a typo, a long one two. */
const fuzzy = (term: string): number => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2);

/** How a found word answers a term of the query: it is that word, begins with it, or is it with a typo; 0: not at all. */
const likeness = (word: string, term: string): number => {
  if (word === term) return 4;
  if (word.startsWith(term)) return 2;
  return leven(word, term) <= fuzzy(term) ? 1 : 0;
};

/**
 * How well a broker matches: of each term the best word, by likeness and place; a broker's whole name as its slug has it
 * matches best. How rare a word is or how long it goes on does not count: "ic ma" would else find "IC Mare" before the
 * better rated "IC Markets".
 */
const relevanceOf = (terms: readonly string[]) => {
  const known = new Map<string, readonly number[]>();
  const likenesses = (word: string): readonly number[] => {
    const values = known.get(word) ?? terms.map((term) => likeness(word, term));
    known.set(word, values);
    return values;
  };
  // loops, since a common word is found in every broker there is
  return ({ id, match }: SearchResult): number => {
    if (id === terms.join('-')) return Number.POSITIVE_INFINITY;
    const best = terms.map(() => 0);
    for (const word in match) {
      let worth = 0;
      for (const field of match[word] ?? []) worth = Math.max(worth, WORTH[field as keyof typeof WORTH]);
      const values = likenesses(word);
      for (let term = 0; term < terms.length; term++)
        best[term] = Math.max(best[term] as number, worth * (values[term] as number));
    }
    return best.reduce((sum, value) => sum + value, 0);
  };
};

interface Ranked {
  readonly id: string;
  readonly relevance: number;
  readonly rating: number;
}

/** The better match first; among equal ones the better score, then the slug. */
const byRelevance = (a: Ranked, b: Ranked): number => {
  if (a.relevance !== b.relevance) return b.relevance > a.relevance ? 1 : -1;
  return b.rating - a.rating || (a.id < b.id ? -1 : 1);
};

/** Index of all brokers in this process. State: nothing else holds one. */
export const createSearchIndex = () => {
  const build = () =>
    new MiniSearch<BrokerDocument>({
      idField: 'slug',
      fields: Object.keys(FIELDS),
      storeFields: ['rating'],
      extractField: (broker, field) => {
        if (field === 'rating') return (broker.score.value ?? -1) as never;
        return field in FIELDS ? FIELDS[field as keyof typeof FIELDS](broker) : (broker[field as 'slug'] as string);
      },
      tokenize: words,
      processTerm: (word) => word,
    });
  let index = build();
  const search = (query: string, combineWith: 'AND' | 'OR') =>
    index.search(query, { prefix: true, fuzzy, combineWith });
  return {
    put: (broker: BrokerDocument): void => {
      if (index.has(broker.slug)) index.discard(broker.slug);
      index.add(broker);
    },
    remove: (slug: string): void => {
      if (index.has(slug)) index.discard(slug);
    },
    /** Forgets everything: the next index is filled from the database. */
    clear: (): void => {
      index = build();
    },
    /** Slugs of the best matches: of all terms, or, where nothing has them all, of any. */
    find: (query: string): string[] => {
      const terms = queryTerms(query);
      if (terms.length === 0) return [];
      const all = search(terms.join(' '), 'AND');
      const relevance = relevanceOf(terms);
      return (all.length > 0 ? all : search(terms.join(' '), 'OR'))
        .map((found) => ({ id: found.id as string, rating: found['rating'] as number, relevance: relevance(found) }))
        .sort(byRelevance)
        .slice(0, SEARCH_RESULTS)
        .map(({ id }) => id);
    },
  };
};
export type SearchIndex = ReturnType<typeof createSearchIndex>;
