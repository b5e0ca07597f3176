/** Most terms of a query that count: more would only cost time. */
const TERMS = 6;

/** Folds case and accents: "Zürich" is found by "zurich". */
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

/** The words of a text, folded; punctuation separates. Folding comes first, since it makes several words of a "½". */
export const words = (text: string): string[] =>
  foldTerm(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

/** The words of a query that are searched for. */
export const queryTerms = (query: string): string[] => [...new Set(words(query))].slice(0, TERMS);
