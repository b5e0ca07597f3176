import { sounds } from '@broker-transparency/matching';
import SearchableMap from 'minisearch/SearchableMap';
import { words as wordsIn } from './terms.rule.ts';

/** Prefixes up to this length have lists of their own, because too many words begin with them to visit each. */
const SHORT_BEGINNING = 3;

/**
 * Likeness of a word to a term: the word is the term, begins with it, sounds like it or has two of its letters swapped,
 * or is the term with a typo.
 */
const LIKENESS = { same: 6, beginning: 3, close: 2, typo: 1 } as const;

/** Minimum length of a word, and of its sound: shorter ones sound like too many others. */
const LETTERS_HEARD = { word: 4, sound: 3 } as const;

/**
 * Minimum length of a term for one or two typos. Two typos are tried only if nothing else matches the term: that takes
 * ten times as long as one, and a closer match is more likely meant.
 */
const LETTERS_FOR = { oneTypo: 4, twoTypos: 8 } as const;

const LETTERS = /^\p{L}+$/u;

/** Returns the sound of a word; undefined if it has too few letters or other characters. */
const toSound = (word: string): string | undefined => {
  if (word.length < LETTERS_HEARD.word || !LETTERS.test(word)) return undefined;
  const sound = sounds(word);
  return sound.length < LETTERS_HEARD.sound ? undefined : sound;
};

/** Returns a word with each two neighbouring letters swapped. */
const listSwapped = (word: string): string[] =>
  Array.from(
    word.slice(1),
    (next, at) => word.slice(0, at) + next + word.slice(at, at + 1) + word.slice(at + 2),
  ).filter((one) => one !== word);

type EntryVisitor = (entries: readonly TermEntry[], likeness: number) => void;
type EntryEmitter = (entries: readonly TermEntry[] | undefined, likeness: number) => void;

/** Returns a function that passes existing entries to `take`, and one that tells if there were any. */
const trackAnswer = (take: EntryVisitor, hasAnswer = false) => {
  let isAnswered = hasAnswer;
  const give: EntryEmitter = (entries, likeness) => {
    if (!entries) return;
    isAnswered = true;
    take(entries, likeness);
  };
  return { give, isAnswered: () => isAnswered };
};

/** An occurrence of a word: a broker's id and, in the last three bits, the worth of the word there (1–7). */
export type TermEntry = number;
export const packEntry = (id: number, worth: number): TermEntry => (id << 3) | worth;
export const unpackId = (entry: TermEntry): number => entry >>> 3;
export const unpackWorth = (entry: TermEntry): number => entry & 7;

type Worths = ReadonlyMap<string, number>;
interface Lists {
  get(key: string): TermEntry[] | undefined;
  set(key: string, list: TermEntry[]): unknown;
  delete(key: string): unknown;
}

const addEntry = (lists: Lists, key: string, entry: TermEntry): void => {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
};

/** Removes an entry. The order of a list does not matter, so the last entry takes the free place. */
const removeEntry = (lists: Lists, key: string, entry: TermEntry): void => {
  const list = lists.get(key) as TermEntry[];
  const last = list.pop() as TermEntry;
  if (last !== entry) list[list.indexOf(entry)] = last;
  if (list.length === 0) lists.delete(key);
};

const updateLists = (lists: Lists, id: number, before: Worths, now: Worths): void => {
  for (const [key, worth] of before) if (now.get(key) !== worth) removeEntry(lists, key, packEntry(id, worth));
  for (const [key, worth] of now) if (before.get(key) !== worth) addEntry(lists, key, packEntry(id, worth));
};

/** Returns the words of the texts and their short prefixes, each with the worth of the first text that contains it. */
const computeWorths = (texts: readonly string[]) => {
  const whole = new Map<string, number>();
  const beginnings = new Map<string, number>();
  texts.forEach((text, at) => {
    const worth = texts.length - at;
    for (const word of wordsIn(text)) {
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
 * Creates a vocabulary: the words in the texts of brokers. The texts of a broker are ordered by worth. A word of the
 * last text is worth 1, of the one before it 2, and so on up to 7.
 */
export const createVocabulary = () => {
  const whole = new SearchableMap<TermEntry[]>();
  const beginnings = new Map<string, TermEntry[]>();
  const sounding = new Map<string, string[]>();

  /** The words, each with its sound while it occurs. */
  const words: Lists = {
    get: (word) => whole.get(word),
    set: (word, list) => {
      whole.set(word, list);
      const sound = toSound(word);
      if (sound !== undefined) sounding.set(sound, [...(sounding.get(sound) ?? []), word]);
    },
    delete: (word) => {
      whole.delete(word);
      const sound = toSound(word);
      if (sound === undefined) return;
      const others = (sounding.get(sound) as string[]).filter((one) => one !== word);
      if (others.length > 0) sounding.set(sound, others);
      else sounding.delete(sound);
    },
  };

  /**
   * Passes on words that sound like a term and, unless the term is itself a word, words with two of its letters
   * swapped.
   */
  const giveClose = (term: string, give: EntryEmitter): void => {
    if (term.length < LETTERS_FOR.oneTypo) return;
    const sound = toSound(term);
    for (const word of (sound !== undefined && sounding.get(sound)) || [])
      if (word !== term) give(whole.get(word), LIKENESS.close);
    if (!whole.has(term)) for (const word of listSwapped(term)) give(whole.get(word), LIKENESS.close);
  };

  return {
    /** Replaces the texts of a broker. A new broker has none before, and a removed one has none now. */
    change: (id: number, before: readonly string[], now: readonly string[]): void => {
      const [old, current] = [computeWorths(before), computeWorths(now)];
      updateLists(words, id, old.whole, current.whole);
      updateLists(beginnings, id, old.beginnings, current.beginnings);
    },
    /**
     * Calls `take` with the entries of every word that matches a term, and the likeness (1–6). A broker may occur
     * several times. Returns whether the term is answered.
     * @param hasAnswer true: something else matches the term, so that two typos are not tried
     */
    eachMatch: (term: string, take: EntryVisitor, hasAnswer = false): boolean => {
      const { give, isAnswered: answered } = trackAnswer(take, hasAnswer);
      const giveMistyped = (typos: number): void => {
        for (const [word, [entries]] of whole.fuzzyGet(term, typos))
          if (!word.startsWith(term)) give(entries, LIKENESS.typo);
      };
      give(whole.get(term), LIKENESS.same);
      if (term.length <= SHORT_BEGINNING) give(beginnings.get(term), LIKENESS.beginning);
      else for (const [word, entries] of whole.atPrefix(term)) if (word !== term) give(entries, LIKENESS.beginning);
      giveClose(term, give);
      if (term.length >= LETTERS_FOR.oneTypo) giveMistyped(1);
      if (term.length >= LETTERS_FOR.twoTypos && !answered()) giveMistyped(2);
      return answered();
    },
    /** Calls `take` with the entries of the word that equals a text or, if there is none, of words close to it. */
    eachWhole: (text: string, take: EntryVisitor): boolean => {
      const { give, isAnswered } = trackAnswer(take);
      give(whole.get(text), LIKENESS.same);
      if (!isAnswered()) giveClose(text, give);
      return isAnswered();
    },
    /** Returns the ids of the brokers that have a word. */
    idsWith: (word: string): number[] => (whole.get(word) ?? []).map(unpackId),
    /** Returns the number of lists and of entries. */
    size: () => {
      const lists = [...whole.values(), ...beginnings.values()];
      return { lists: lists.length + sounding.size, entries: lists.reduce((sum, list) => sum + list.length, 0) };
    },
  };
};
