import { foldLatin, splitWords } from '@broker-transparency/matching';

/** Maximum number of terms of a query; more would only cost time. */
const TERMS = 6;

/**
 * Returns the folded words of a text; punctuation separates them. Folding comes first, since it turns a "½" into
 * several words.
 */
export const words = (text: string): string[] => splitWords(foldLatin(text));

/** Returns the distinct words of a query that are searched for, six at most. */
export const queryTerms = (query: string): string[] => [...new Set(words(query))].slice(0, TERMS);
