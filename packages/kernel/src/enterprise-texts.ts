/** Maximum candidates for a query of the screening. */
export const MOST_CANDIDATES = 10;

/** Stands in every answer of the screening. */
export const SCREENING_NOTICE =
  'A match is a reason to look, no verdict. No candidate is no sign of safety: it says only that nothing published here ' +
  'matches what was asked. Whoever is not listed may be unlicensed, warned of elsewhere, or new.';

/** Says how to read each outcome of a screening. */
export const SCREENING_MEANINGS = {
  candidates: 'These are published here and match. Look at alerts and at what does not match before you rely on one.',
  no_candidate:
    'Nothing published here matches. That does not mean that it is safe, licensed or unknown to authorities.',
  invalid: 'Nothing was searched: change what the faults name, and ask again.',
} as const;

/** The duty of every customer concerning erased texts. */
export const ERASURE_TERM =
  'Delete a text at once when the feed has an entry for its key whose commitments do not include it any more, such as ' +
  'one with the cause "erasure", and in every copy within 24 hours. Read texts files again before each use of an older ' +
  'snapshot: a text that was erased is taken out of them.';
