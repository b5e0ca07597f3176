import type { BrokerDetail } from '@broker-transparency/client';
import { SEARCH_RESULTS } from '@broker-transparency/contract';

const TERMS = 6;

/** Folded, so that "Zürich" is found by "zurich". */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** What of a broker can be found, the best first. */
const textsOf = ({ name, slug, tradingNames, domains, legalName, entities, licenses }: BrokerDetail): string[] => [
  name,
  [slug, ...tradingNames].join(' '),
  domains.join(' '),
  [legalName, ...entities.map((entity) => entity.legalName), ...licenses.map((one) => one.referenceNumber)].join(' '),
];

/** How many letters have to be changed, added or left out to make one word of another (Levenshtein). */
const distance = (a: string, b: string): number => {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1),
        ),
      );
    above = row;
  }
  return above[b.length] ?? 0;
};

const typosOf = (term: string): number => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2);

/** How well a word answers a term: it is that word, begins with it, or is it with a typo. */
const likeness = (term: string, word: string): number => {
  if (word === term) return 4;
  if (word.startsWith(term)) return 2;
  return distance(term, word) <= typosOf(term) ? 1 : 0;
};

/** What a broker is worth for each term. */
const worthsOf = (broker: BrokerDetail, terms: readonly string[]): number[] => {
  const texts = textsOf(broker).map(wordsOf);
  return terms.map((term) =>
    Math.max(0, ...texts.flatMap((words, at) => words.map((word) => likeness(term, word) * (texts.length - at)))),
  );
};

/** The brokers that match all words, or, where none does, any; best match first, equal ones in the order given. */
export const findBrokers = (brokers: readonly BrokerDetail[], query: string): BrokerDetail[] => {
  const terms = [...new Set(wordsOf(query))].slice(0, TERMS);
  const matches = brokers
    .map((broker) => ({ broker, worths: worthsOf(broker, terms) }))
    .filter(({ worths }) => worths.some((worth) => worth > 0))
    .map(({ broker, worths }) => ({
      broker,
      all: worths.every((worth) => worth > 0),
      // the whole name as its slug has it matches best
      worth: broker.slug === terms.join('-') ? 255 : worths.reduce((sum, worth) => sum + worth, 0),
    }));
  const whole = matches.filter(({ all }) => all);
  return (whole.length > 0 ? whole : matches)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, SEARCH_RESULTS)
    .map(({ broker }) => broker);
};
