import { type Entry, idOf, worthOf } from './vocabulary.ts';

/** By a broker's id. Typed arrays, used again and again: a common word stands in every broker there is. */
const counters = (size: number) => ({
  /** Ids of brokers that match any term. */
  found: new Uint32Array(size),
  /** How many terms it matches. */
  matched: new Uint8Array(size),
  /** What the best word for the present term is worth (at most 28). */
  ofTerm: new Uint8Array(size),
  /** The sum over the terms (at most 6 × 28). */
  relevance: new Uint8Array(size),
});

/** Counts per broker what matches a query. */
export const createTally = () => {
  let counted = counters(0);
  let count = 0;
  /** The most terms that a broker matches. */
  let most = 0;
  let size = 0;
  return {
    /** Begins a query over brokers with ids below `brokers`. */
    begin: (brokers: number): void => {
      [size, count, most] = [brokers, 0, 0];
      if (size > counted.found.length) counted = counters(2 * size);
      counted.matched.fill(0, 0, size);
      counted.relevance.fill(0, 0, size);
    },
    nextTerm: (): void => {
      counted.ofTerm.fill(0, 0, size);
    },
    /** A word that answers the term: of each broker the best one counts, by likeness and place. */
    add: (entries: readonly Entry[], likeness: number): void => {
      const { found, matched, ofTerm, relevance } = counted;
      for (const entry of entries) {
        const id = idOf(entry);
        const value = likeness * worthOf(entry);
        const before = ofTerm[id] as number;
        if (value <= before) continue;
        ofTerm[id] = value;
        relevance[id] = (relevance[id] as number) + value - before;
        if (before > 0) continue;
        const terms = (matched[id] as number) + 1;
        matched[id] = terms;
        if (terms === 1) found[count++] = id;
        if (terms > most) most = terms;
      }
    },
    /** Puts a broker that matches all terms before all others. */
    prefer: (id: number): void => {
      counted.relevance[id] = 255;
    },
    /**
     * Ids of the best brokers of those that match all terms, or, where none does, any; without sorting all of them.
     * @param tied which of two comes first that match equally well
     */
    best: (terms: number, limit: number, tied: (a: number, b: number) => boolean): number[] => {
      const { found, matched, relevance } = counted;
      const needed = most === terms ? terms : 1;
      const before = (a: number, b: number): boolean =>
        relevance[a] === relevance[b] ? tied(a, b) : (relevance[a] as number) > (relevance[b] as number);
      const best: number[] = [];
      for (let n = 0; n < count; n++) {
        const id = found[n] as number;
        if ((matched[id] as number) < needed) continue;
        if (best.length === limit) {
          if (before(best[limit - 1] as number, id)) continue;
          best.pop();
        }
        let at = best.length;
        while (at > 0 && before(id, best[at - 1] as number)) at--;
        best.splice(at, 0, id);
      }
      return best;
    },
  };
};
