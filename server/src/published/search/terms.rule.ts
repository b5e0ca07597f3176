/** Maximum number of terms of a query; more would only cost time. */
const TERMS = 6;

/** Folds case and accents, so that "zurich" finds "Zürich". */
export const foldTerm = (term: string): string =>
  term
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae')
    .replaceAll('đ', 'd')
    .replaceAll('ı', 'i');

/**
 * Returns the folded words of a text; punctuation separates them. Folding comes first, since it turns a "½" into
 * several words.
 */
export const words = (text: string): string[] =>
  foldTerm(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

/** Returns the distinct words of a query that are searched for, six at most. */
export const queryTerms = (query: string): string[] => [...new Set(words(query))].slice(0, TERMS);
