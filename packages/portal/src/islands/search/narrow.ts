import type { BrokerSummary } from '@broker-transparency/client';

/** A broker in the suggestions. */
export type SuggestedBroker = Pick<
  BrokerSummary,
  | 'slug'
  | 'name'
  | 'legalName'
  | 'tradingNames'
  | 'domains'
  | 'country'
  | 'color'
  | 'score'
  | 'status'
  | 'warnings'
  | 'predecessors'
>;

/** Returns the words of a text for comparison: without case, accents and punctuation. */
export const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const joinTexts = ({ name, legalName, slug, tradingNames, domains, predecessors = [] }: SuggestedBroker): string =>
  [name, legalName, slug, ...tradingNames, ...domains, ...predecessors.map((former) => former.name)].join(' ');

/** Returns the brokers in which each word of the query begins a word. */
export const narrow = (brokers: readonly SuggestedBroker[], query: string): SuggestedBroker[] => {
  const asked = splitWords(query);
  return brokers.filter((broker) => {
    const words = splitWords(joinTexts(broker));
    return asked.every((begin) => words.some((word) => word.startsWith(begin)));
  });
};

/** Maximum number of answers kept while a page is open. */
const MOST = 60;

/** A result from the cache: the query's own answer, or the answer to its beginning, narrowed. */
interface CachedMatch {
  readonly brokers: readonly SuggestedBroker[];
  /** True if this is the answer to exactly this query. */
  readonly isAnswer: boolean;
}

/** Keeps answers by query, so that the next letter of a word can be answered at once. */
export const createSuggestionCache = () => {
  const kept = new Map<string, readonly SuggestedBroker[]>();
  const toCacheKey = (query: string): string => splitWords(query).join(' ');
  return {
    keep: (query: string, brokers: readonly SuggestedBroker[]): void => {
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      kept.set(toCacheKey(query), brokers);
    },
    find: (query: string): CachedMatch | undefined => {
      const key = toCacheKey(query);
      const own = kept.get(key);
      if (own) return { brokers: own, isAnswer: true };
      for (let length = key.length - 1; length > 0; length--) {
        const begun = kept.get(key.slice(0, length).trimEnd());
        if (begun) return { brokers: narrow(begun, query), isAnswer: false };
      }
      return undefined;
    },
  };
};
