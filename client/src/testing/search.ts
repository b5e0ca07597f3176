import type { BrokerDetail } from '@broker-transparency/client';
import { SEARCH_RESULTS } from '@broker-transparency/contract';

const TERMS = 6;

/** Splits a text into words, without case and accents, so that "zurich" finds "Zürich". */
const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Returns the searchable texts of a broker, the most important first. */
const listSearchTexts = ({
  name,
  slug,
  tradingNames,
  domains,
  legalName,
  entities,
  licenses,
}: BrokerDetail): string[] => [
  name,
  [slug, ...tradingNames].join(' '),
  domains.join(' '),
  [legalName, ...entities.map((entity) => entity.legalName), ...licenses.map((one) => one.referenceNumber)].join(' '),
];

/** Returns the number of letters to change, add or remove to turn one word into another (Levenshtein distance). */
const computeDistance = (a: string, b: string): number => {
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

const countAllowedTypos = (term: string): number => (term.length < 4 ? 0 : term.length < 8 ? 1 : 2);

/** Returns whether two words differ by two neighbouring letters that are swapped. */
const isSwapped = (a: string, b: string): boolean => {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && b === a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2);
};

/** Rates how well a word matches a term: exactly, by its beginning, with two letters swapped, or with a typo. */
const rateLikeness = (term: string, word: string): number => {
  if (word === term) return 6;
  if (word.startsWith(term)) return 3;
  if (term.length >= 4 && isSwapped(term, word)) return 2;
  return computeDistance(term, word) <= countAllowedTypos(term) ? 1 : 0;
};

/** Returns a broker's rating for each term. */
const rateTerms = (broker: BrokerDetail, terms: readonly string[]): number[] => {
  const texts = listSearchTexts(broker).map(splitWords);
  return terms.map((term) =>
    Math.max(0, ...texts.flatMap((words, at) => words.map((word) => rateLikeness(term, word) * (texts.length - at)))),
  );
};

/**
 * Finds the brokers that match all words or, if there are none, those that match any. The best match comes first; equal
 * matches keep their order.
 */
export const findBrokers = (brokers: readonly BrokerDetail[], query: string): BrokerDetail[] => {
  const terms = [...new Set(splitWords(query))].slice(0, TERMS);
  const matches = brokers
    .map((broker) => ({ broker, worths: rateTerms(broker, terms) }))
    .filter(({ worths }) => worths.some((worth) => worth > 0))
    .map(({ broker, worths }) => ({
      broker,
      all: worths.every((worth) => worth > 0),
      // the whole name, in the form of a slug, is the best match
      worth: broker.slug === terms.join('-') ? 255 : worths.reduce((sum, worth) => sum + worth, 0),
    }));
  const whole = matches.filter(({ all }) => all);
  return (whole.length > 0 ? whole : matches)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, SEARCH_RESULTS)
    .map(({ broker }) => broker);
};
