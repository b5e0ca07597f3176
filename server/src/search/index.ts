import { SEARCH_RESULTS } from '@broker-transparency/contract';
import MiniSearch, { type SearchResult } from 'minisearch';
import type { BrokerDocument } from '../brokers/facts.ts';
import { foldTerm, queryTerms, words } from './terms.ts';

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

const BOOST = { name: 4, slug: 3, tradingNames: 3, domains: 2 };

/** Short terms must be spelt right; a longer one may have a typo, a long one two. */
const fuzzy = (term: string): number => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2);

/** The better match first; among equal ones the better score, then the slug. */
const byRelevance = (a: SearchResult, b: SearchResult): number =>
  Math.round((b.score - a.score) * 100) || b['rating'] - a['rating'] || (a.id < b.id ? -1 : 1);

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
      processTerm: foldTerm,
    });
  let index = build();
  const search = (query: string, combineWith: 'AND' | 'OR') =>
    index.search(query, { prefix: true, fuzzy, boost: BOOST, combineWith, maxFuzzy: 2 });
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
      const text = queryTerms(query).join(' ');
      if (text === '') return [];
      const all = search(text, 'AND');
      return (all.length > 0 ? all : search(text, 'OR'))
        .sort(byRelevance)
        .slice(0, SEARCH_RESULTS)
        .map(({ id }) => id);
    },
  };
};
export type SearchIndex = ReturnType<typeof createSearchIndex>;
