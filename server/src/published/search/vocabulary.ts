import SearchableMap from 'minisearch/SearchableMap';
import { words } from './terms.rule.ts';

/** Up to so many first letters have a list of their own: too many words begin with them to visit each. */
const SHORT_BEGINNING = 3;

/** How a found word answers a term of the query: it is that word, begins with it, or is it with a typo. */
const LIKENESS = { same: 4, beginning: 2, typo: 1 } as const;

/**
 * How long a term must be to have so many typos; a shorter one must be spelt right. Two are looked for only where nothing else
 * answers the term: that takes ten times as long as one, and what is nearer is meant.
 */
const LETTERS_FOR = { oneTypo: 4, twoTypos: 8 } as const;

/** Where a word stands: a broker's id, and in the last three bits what the word is worth there (1–7). */
export type Entry = number;
export const entryOf = (id: number, worth: number): Entry => (id << 3) | worth;
export const idOf = (entry: Entry): number => entry >>> 3;
export const worthOf = (entry: Entry): number => entry & 7;

type Worths = ReadonlyMap<string, number>;
interface Lists {
  get(key: string): Entry[] | undefined;
  set(key: string, list: Entry[]): unknown;
  delete(key: string): unknown;
}

const enter = (lists: Lists, key: string, entry: Entry): void => {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
};

/** The order of a list does not matter, so the last entry takes the free place. */
const strike = (lists: Lists, key: string, entry: Entry): void => {
  const list = lists.get(key) as Entry[];
  const last = list.pop() as Entry;
  if (last !== entry) list[list.indexOf(entry)] = last;
  if (list.length === 0) lists.delete(key);
};

const changeIn = (lists: Lists, id: number, before: Worths, now: Worths): void => {
  for (const [key, worth] of before) if (now.get(key) !== worth) strike(lists, key, entryOf(id, worth));
  for (const [key, worth] of now) if (before.get(key) !== worth) enter(lists, key, entryOf(id, worth));
};

/** The words of texts and their short beginnings, each with the worth of the best text it stands in. */
const worths = (texts: readonly string[]) => {
  const whole = new Map<string, number>();
  const beginnings = new Map<string, number>();
  texts.forEach((text, at) => {
    const worth = texts.length - at;
    for (const word of words(text)) {
      if (whole.has(word)) continue;
      whole.set(word, worth);
      for (let length = Math.min(SHORT_BEGINNING, word.length - 1); length > 0; length--) {
        const beginning = word.slice(0, length);
        if (!beginnings.has(beginning)) beginnings.set(beginning, worth);
      }
    }
  });
  return { whole, beginnings };
};

/**
 * Which words stand in which brokers' texts. Texts of a broker go from the best to the least: a word of the last one is worth 1, of
 * the one before 2, and so on up to 7.
 */
export const createVocabulary = () => {
  const whole = new SearchableMap<Entry[]>();
  const beginnings = new Map<string, Entry[]>();
  return {
    /** What a broker's texts were, and what they are now: of a new broker, or one that is gone, there are none. */
    change: (id: number, before: readonly string[], now: readonly string[]): void => {
      const [old, current] = [worths(before), worths(now)];
      changeIn(whole, id, old.whole, current.whole);
      changeIn(beginnings, id, old.beginnings, current.beginnings);
    },
    /** Calls back with the entries of every word that answers a term, and the likeness (1–4); a broker may come several times. */
    eachMatch: (term: string, take: (entries: readonly Entry[], likeness: number) => void): void => {
      let answered = false;
      const give = (entries: readonly Entry[] | undefined, likeness: number): void => {
        if (!entries) return;
        answered = true;
        take(entries, likeness);
      };
      const giveMistyped = (typos: number): void => {
        for (const [word, [entries]] of whole.fuzzyGet(term, typos))
          if (!word.startsWith(term)) give(entries, LIKENESS.typo);
      };
      give(whole.get(term), LIKENESS.same);
      if (term.length <= SHORT_BEGINNING) give(beginnings.get(term), LIKENESS.beginning);
      else for (const [word, entries] of whole.atPrefix(term)) if (word !== term) give(entries, LIKENESS.beginning);
      if (term.length >= LETTERS_FOR.oneTypo) giveMistyped(1);
      if (term.length >= LETTERS_FOR.twoTypos && !answered) giveMistyped(2);
    },
    /** How many lists and entries are held. */
    size: () => {
      const lists = [...whole.values(), ...beginnings.values()];
      return { lists: lists.length, entries: lists.reduce((sum, list) => sum + list.length, 0) };
    },
  };
};
