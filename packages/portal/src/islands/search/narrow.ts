import type { BrokerSummary } from '@broker-transparency/client';

/** A broker as suggestions show it. */
export type Suggested = Pick<
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

/** Words of a text as a search compares them: without case, accents and punctuation. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const textsOf = ({ name, legalName, slug, tradingNames, domains, predecessors = [] }: Suggested): string =>
  [name, legalName, slug, ...tradingNames, ...domains, ...predecessors.map((former) => former.name)].join(' ');

/** Returns the brokers in which each word of the query begins a word. */
export const narrow = (brokers: readonly Suggested[], query: string): Suggested[] => {
  const asked = wordsOf(query);
  return brokers.filter((broker) => {
    const words = wordsOf(textsOf(broker));
    return asked.every((begin) => words.some((word) => word.startsWith(begin)));
  });
};

/** Answers that are kept while a page is open. */
const MOST = 60;

/** What is known of a query without asking: its own answer, or what is left of that to its beginning. */
interface Known {
  readonly brokers: readonly Suggested[];
  /** Whether this is the answer to this very query. */
  readonly isAnswer: boolean;
}

/** Keeps answers by query, so that the next letter of a word can be answered at once. */
export const createMemory = () => {
  const kept = new Map<string, readonly Suggested[]>();
  const keyOf = (query: string): string => wordsOf(query).join(' ');
  return {
    keep: (query: string, brokers: readonly Suggested[]): void => {
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      kept.set(keyOf(query), brokers);
    },
    find: (query: string): Known | undefined => {
      const key = keyOf(query);
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
