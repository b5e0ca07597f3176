import { isDeepStrictEqual } from 'node:util';
import { SEARCH_RESULTS } from '@broker-transparency/contract';
import type { BrokerDocument } from '../brokers/facts.ts';
import { createTally } from './tally.ts';
import { queryTerms, words } from './terms.rule.ts';
import { createVocabulary } from './vocabulary.ts';

/** Returns the former names of a broker, so that they can be searched. */
const listFormerNames = ({ predecessors = [] }: BrokerDocument): string[] =>
  predecessors.flatMap(({ slug, name }) => [slug, name]);

/** Returns a name as one word, as in domains and mail addresses. */
const toOneWord = (name: string): string => words(name).join('');

/** Returns the searchable texts of a broker, the most valuable first. */
const toSearchTexts = (broker: BrokerDocument): string[] => [
  broker.name,
  [broker.slug, ...broker.tradingNames, ...listFormerNames(broker)].join(' '),
  broker.domains.join(' '),
  [
    broker.legalName,
    ...broker.entities.map((entity) => entity.legalName),
    ...broker.licenses.map((license) => license.referenceNumber),
  ].join(' '),
];

/** Returns the slug as one word, with the worth of a slug. */
const toJoinedTexts = (slug: string): string[] => [toOneWord(slug), '', ''];

/** The contents of an index: words, slugs and ratings. */
const createContents = () => {
  const tally = createTally();
  const vocabulary = createVocabulary();
  /** Kept apart from the words, all of which a query checks for typos. */
  const joinedSlugs = createVocabulary();
  const idsBySlug = new Map<string, number>();
  /** Indexed by id, like `texts` and `ratings`. */
  const slugs: string[] = [];
  const texts: string[][] = [];
  const ratings: number[] = [];
  const free: number[] = [];
  const admit = (slug: string): number => {
    const id = free.pop() ?? slugs.length;
    idsBySlug.set(slug, id);
    joinedSlugs.change(id, [], toJoinedTexts(slug));
    slugs[id] = slug;
    texts[id] = [];
    return id;
  };
  return {
    put: (broker: BrokerDocument): void => {
      const id = idsBySlug.get(broker.slug) ?? admit(broker.slug);
      const [before, now] = [texts[id] as string[], toSearchTexts(broker)];
      ratings[id] = broker.score.value ?? -1;
      if (isDeepStrictEqual(before, now)) return;
      vocabulary.change(id, before, now);
      texts[id] = now;
    },
    remove: (slug: string): void => {
      const id = idsBySlug.get(slug);
      if (id === undefined) return;
      vocabulary.change(id, texts[id] as string[], []);
      texts[id] = [];
      joinedSlugs.change(id, toJoinedTexts(slug), []);
      idsBySlug.delete(slug);
      free.push(id);
    },
    find: (query: string): string[] => {
      const terms = queryTerms(query);
      const asOne = terms.join('');
      const asOneWord: Parameters<typeof tally.add>[] = [];
      if (terms.length > 1) vocabulary.eachWhole(asOne, (...match) => asOneWord.push(match));
      tally.begin(slugs.length);
      for (const term of terms) {
        tally.nextTerm();
        const isName = joinedSlugs.eachWhole(term, tally.add);
        if (!vocabulary.eachMatch(term, tally.add, isName)) joinedSlugs.eachMatch(term, tally.add);
        for (const match of asOneWord) tally.add(...match);
      }
      for (const named of joinedSlugs.idsWith(asOne)) tally.prefer(named);
      const ids = tally.best(terms.length, SEARCH_RESULTS, (a, b) => {
        const [rating, other] = [ratings[a] as number, ratings[b] as number];
        return rating === other ? (slugs[a] as string) < (slugs[b] as string) : rating > other;
      });
      return ids.map((id) => slugs[id] as string);
    },
  };
};

/** Creates the search index of all brokers. It is the only index of the process. */
export const createSearchIndex = () => {
  let contents = createContents();
  return {
    put: (broker: BrokerDocument): void => contents.put(broker),
    remove: (slug: string): void => contents.remove(slug),
    /** Replaces the contents once all brokers are read. Until then, queries use the old contents. */
    load: async (brokers: AsyncIterable<BrokerDocument>): Promise<void> => {
      const next = createContents();
      for await (const broker of brokers) next.put(broker);
      contents = next;
    },
    /**
     * Returns the slugs of the best matches: of brokers that match all terms or, if there are none, any term. For each
     * term, a broker's best word counts, by likeness and position. Slugs also match as one word, and words by sound. A
     * query that spells a broker's slug, with or without blanks, matches that broker best. Equal matches are ordered by
     * score, then slug. Neither the rarity nor the length of a word counts; otherwise "ic ma" would rank "IC Mare"
     * before the better rated "IC Markets".
     */
    find: (query: string): string[] => contents.find(query),
  };
};
export type SearchIndex = ReturnType<typeof createSearchIndex>;
