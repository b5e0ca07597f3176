import { type TermEntry, unpackId, unpackWorth } from './vocabulary.ts';

/** Counters by broker id. The typed arrays are reused, because a common word occurs in every broker. */
const counters = (size: number) => ({
  /** Ids of brokers that match any term. */
  found: new Uint32Array(size),
  /** Number of terms that the broker matches. */
  matched: new Uint8Array(size),
  /** Value of the broker's best word for the current term (at most 42). */
  ofTerm: new Uint8Array(size),
  /** Sum of these values over all terms (at most 6 × 42). */
  relevance: new Uint8Array(size),
});

/** Creates a tally that sums up, per broker, the matches of a query. */
export const createTally = () => {
  let counted = counters(0);
  let count = 0;
  /** Highest number of terms that any broker matches. */
  let most = 0;
  let size = 0;
  return {
    /** Starts a query over brokers with ids below `brokers`. */
    begin: (brokers: number): void => {
      [size, count, most] = [brokers, 0, 0];
      if (size > counted.found.length) counted = counters(2 * size);
      counted.matched.fill(0, 0, size);
      counted.relevance.fill(0, 0, size);
    },
    nextTerm: (): void => {
      counted.ofTerm.fill(0, 0, size);
    },
    /** Adds a word that matches the current term. For each broker, the best word counts, by likeness times worth. */
    add: (entries: readonly TermEntry[], likeness: number): void => {
      const { found, matched, ofTerm, relevance } = counted;
      for (const entry of entries) {
        const id = unpackId(entry);
        const value = likeness * unpackWorth(entry);
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
    /** Ranks a broker that matches all terms before all others. */
    prefer: (id: number): void => {
      counted.relevance[id] = 255;
    },
    /**
     * Returns the ids of the best brokers among those that match all terms or, if there are none, any term. Does not
     * sort all of them.
     * @param tied returns true if the first of two equal matches comes before the second
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
