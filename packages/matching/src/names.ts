import leven from 'leven';
import { ABBREVIATIONS, FILLERS, TRADE_WORDS } from './common-words.ts';
import { ATTACHED_FORMS, areKin, LEADING_FORMS, LEGAL_FORMS, type LegalForm } from './legal-forms.ts';
import { PLACE_WORDS } from './places.ts';
import { fold, hasForeignLetters, looks, mixesAlphabets, sounds, splitWords, withoutInvisible } from './text.ts';

/** The words of a name. */
export interface NameWords {
  /** All words, folded, joined by blanks. */
  readonly whole: string;
  /** Words without the legal form, in order. */
  readonly core: readonly string[];
  /** The legal form in the name, if any. */
  readonly form: LegalForm | undefined;
  /** True if a word mixes alphabets. No firm is registered with such a name. */
  readonly isMixed: boolean;
}

/** A parsed name. */
export interface NameParts extends NameWords {
  readonly text: string;
  /** The core without places and filler words. */
  readonly own: readonly string[];
  /** The same with abbreviations expanded. */
  readonly full: readonly string[];
  /** Texts for comparison: without blanks, with places, expanded, sorted, by sound, by appearance. */
  readonly compact: string;
  readonly joined: string;
  readonly written: string;
  readonly sorted: string;
  readonly sound: string;
  readonly look: string;
  readonly numbers: string;
  /** Countries and regions in the name. */
  readonly places: readonly string[];
  /** True if its letters have several spellings in ASCII. */
  readonly isForeign: boolean;
}

/** Legal forms by their words, longest first. */
const FORMS: readonly { readonly words: readonly string[]; readonly form: LegalForm }[] = LEGAL_FORMS.flatMap((form) =>
  form.spellings.map((spelling) => ({ words: spelling.split(' '), form })),
).sort((a, b) => b.words.length - a.words.length);

const byLastWord = Map.groupBy(FORMS, ({ words }) => words.at(-1) as string);
const byFirstWord = Map.groupBy(
  FORMS.filter(({ words }) => words.length > 1 || LEADING_FORMS.includes(words[0] as string)),
  ({ words }) => words[0] as string,
);

/** "S.A.", "A/S" and "s. à r. l." are one word each; "J. P. Alpha" is "jp alpha". */
const joinLetters = (words: readonly string[]): string[] => {
  const joined: string[] = [];
  let letters = '';
  for (const word of [...words, '']) {
    if (/^[a-z]$/.test(word)) letters += word;
    else {
      if (letters !== '') joined.push(letters);
      letters = '';
      if (word !== '') joined.push(word);
    }
  }
  return joined;
};

const isAt = (words: readonly string[], part: readonly string[], at: number): boolean =>
  at >= 0 && part.every((word, of) => words[at + of] === word);

interface FormSplit {
  readonly core: readonly string[];
  readonly form: LegalForm | undefined;
}

/** Removes legal forms from the end; a name can have several. The last removed one is the more precise one. */
const cutEnd = (words: readonly string[], form?: LegalForm): FormSplit => {
  const found = byLastWord
    .get(words.at(-1) ?? '')
    ?.find((one) => words.length > one.words.length && isAt(words, one.words, words.length - one.words.length));
  if (!found) return { core: words, form };
  return cutEnd(words.slice(0, -found.words.length), form ?? found.form);
};

const cutStart = (words: readonly string[]): FormSplit => {
  const found = byFirstWord
    .get(words[0] ?? '')
    ?.find((one) => words.length > one.words.length && isAt(words, one.words, 0));
  return found ? { core: words.slice(found.words.length), form: found.form } : { core: words, form: undefined };
};

/** Forms that are never words of a name: they are also removed from the front if another form is at the end. */
const ONLY_FORMS = /^(?:ooo|oao|zao|pao|jsc|ojsc|cjsc|pjsc|uab)$/;

const cutForm = (words: readonly string[]): FormSplit => {
  const end = cutEnd(words);
  if (end.form && !ONLY_FORMS.test(words[0] ?? '')) return end;
  const both = cutStart(end.core);
  return { core: both.core, form: both.form ?? end.form };
};

/** Returns the text without an attached legal form, and that form. */
const detachForm = (text: string): { readonly text: string; readonly attached: string } => {
  const normal = text.normalize('NFKC');
  for (const [written, form] of ATTACHED_FORMS)
    if (normal.includes(written)) return { text: normal.replace(written, ' '), attached: form };
  return { text, attached: '' };
};

const PLACE_LENGTHS = [5, 4, 3, 2, 1];

/** Returns whether two letters before a name are initials: "JP Alpha" is not in Japan. */
const isInitial = (core: readonly string[], at: number): boolean => at === 0 && (core[0] as string).length === 2;

/** Removes places from a core. A name that consists of places keeps them. */
const cutPlaces = (core: readonly string[]): { readonly rest: readonly string[]; readonly places: string[] } => {
  const places = new Set<string>();
  const rest: string[] = [];
  for (let at = 0; at < core.length; ) {
    const length = isInitial(core, at)
      ? undefined
      : PLACE_LENGTHS.find((count) => PLACE_WORDS.has(core.slice(at, at + count).join(' ')));
    const place = length === undefined ? undefined : PLACE_WORDS.get(core.slice(at, at + length).join(' '));
    if (place !== undefined) places.add(place);
    else rest.push(core[at] as string);
    at += length ?? 1;
  }
  return rest.length === 0 ? { rest: core, places: [] } : { rest, places: [...places].sort() };
};

const ROMAN = /^(?=[xvi])x{0,3}(?:ix|iv|v?i{0,3})$/;
const extractNumbers = (words: readonly string[]): string =>
  words.flatMap((word) => word.match(/\d+/g) ?? (ROMAN.test(word) ? [word] : [])).join(' ');
const withoutNumbers = (words: readonly string[]): string =>
  words.flatMap((word) => (ROMAN.test(word) ? [] : [word.replace(/\d+/g, '')])).join('');

const BRACKETS = /[([{（【「『]([^()[\]{}（）【】「」『』]*)[)\]}）】」』]/gu;

/** "(Pty) Ltd" is one form. */
const PART_OF_FORM = /^\s*(?:pty|proprietary|pvt|private|pte|publ)\.?\s*$/i;

/**
 * Returns the words outside of brackets and those inside. Both belong to the name, but the legal form precedes the
 * brackets.
 */
const withoutBrackets = (text: string): { readonly outer: string; readonly inner: string } => {
  const inner: string[] = [];
  const outer = text.replace(BRACKETS, (_, words: string) => {
    if (PART_OF_FORM.test(words)) return ` ${words} `;
    inner.push(words);
    return ' ';
  });
  return { outer, inner: inner.join(' ') };
};

const cleanWords = (text: string): string[] =>
  joinLetters(
    splitWords(
      fold(
        text
          .replaceAll('&', ' and ')
          .replaceAll('+', ' and ')
          .replaceAll(/['’`´"“”«»„]/g, ''),
      ),
    ),
  );

/** Returns the words of a name, with its legal form apart. */
export const nameWords = (name: string): NameWords => {
  const seen = withoutInvisible(name);
  const { text, attached } = detachForm(seen);
  const { outer, inner } = withoutBrackets(text);
  const words = cleanWords(outer);
  const isPlain = attached === '' && inner === '';
  const cut = cutForm(attached === '' ? words : [...words, ...attached.split(' ')]);
  const within = cutEnd(['', ...(inner === '' ? [] : cleanWords(inner))]);
  return {
    whole: (isPlain ? words : cleanWords(seen)).join(' '),
    core: [...cut.core, ...within.core.filter((word) => word !== '')],
    form: cut.form ?? within.form,
    isMixed: mixesAlphabets(seen),
  };
};

/** Returns whether a text consists of a legal form. */
export const isLegalForm = (text: string): boolean => {
  const words = cleanWords(text);
  return FORMS.some((form) => form.words.length === words.length && isAt(words, form.words, 0));
};

/** Parses a name. */
export const nameParts = (name: string): NameParts => {
  const words = nameWords(name);
  const { core } = words;
  const { rest, places } = cutPlaces(core);
  const telling = rest.filter((word) => !FILLERS.has(word));
  const own = telling.length === 0 ? rest : telling;
  const full = own.map((word) => ABBREVIATIONS.get(word) ?? word);
  const compact = own.join('');
  return {
    ...words,
    text: name,
    own,
    full,
    compact,
    joined: core.join(''),
    written: full.join(''),
    sorted: [...full].sort().join(' '),
    sound: sounds(compact),
    look: looks(compact),
    numbers: extractNumbers(own),
    places,
    isForeign: hasForeignLetters(name),
  };
};

const foldName = (name: string): string => {
  const { core, form } = nameWords(name);
  return [...core, ...(form ? [form.form] : [])].join(' ');
};

/**
 * Returns a key of a name. Names share it if they differ only in case, accents, alphabet, punctuation and the spelling
 * of the legal form. The key of a key is itself: a name without its brackets may also end with a legal form.
 */
export const nameKey = (name: string): string => {
  const key = foldName(name);
  const again = foldName(key);
  return again === key ? key : nameKey(again);
};

/** Returns whether a word is a word of the trade, or a place. */
const isCommon = (word: string): boolean => TRADE_WORDS.has(word) || PLACE_WORDS.has(word);

/** Returns whether a word identifies firms. */
export const isTelling = (word: string): boolean => word.length >= 4 && !isCommon(word);

/** Returns whether two names share a word other than words of the trade, places and legal forms. */
export const areAkin = (one: string, other: string): boolean => {
  const known = new Set(nameWords(one).core.filter((word) => !isCommon(word)));
  return nameWords(other).core.some((word) => known.has(word));
};

/** Relations of one name to another, best first. */
export const NAME_RELATIONS = [
  'identical',
  'spaced',
  'transliterated',
  'abbreviated',
  'reordered',
  'place-added',
  'initials',
  'extended',
  'look-alike',
  'near',
  'number-differs',
  'other-place',
  'akin',
  'unlike',
] as const;
export type NameRelation = (typeof NAME_RELATIONS)[number];

/** Relation of two legal forms. `kin`: one is a common translation or abbreviation of the other. */
export type FormRelation = 'same' | 'unstated' | 'kin' | 'differs';

/** Returns the relation of two legal forms. */
export const formRelation = (one: LegalForm | undefined, other: LegalForm | undefined): FormRelation => {
  if (one && one === other) return 'same';
  if (!one || !other) return 'unstated';
  return areKin(one.form, other.form) ? 'kin' : 'differs';
};

/** Number of typing errors that are tolerated in a text, by its length. */
const TYPOS: readonly (readonly [letters: number, typos: number])[] = [
  [9, 2],
  [5, 1],
  [0, 0],
];

export const countAllowedTypos = (text: string): number =>
  (TYPOS.find(([letters]) => text.length >= letters) as [number, number])[1];

/** Returns whether the only difference is two swapped neighbouring letters. */
const isSwapped = (one: string, other: string): boolean => {
  if (one.length < 5 || one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const isTurned = one[at] === other[at + 1] && one[at + 1] === other[at];
  return isTurned && one.slice(at + 2) === other.slice(at + 2);
};

/** Returns whether texts differ by changed, missing or added letters: one from five letters on, two from nine. */
export const isMistyped = (one: string, other: string): boolean => {
  const most = Math.min(countAllowedTypos(one), countAllowedTypos(other));
  return most > 0 && Math.abs(one.length - other.length) <= most && leven(one, other) <= most;
};

/** Returns whether one text can be taken for the other: it is mistyped, or has two letters swapped. */
export const isNear = (one: string, other: string): boolean => isSwapped(one, other) || isMistyped(one, other);

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at]);

const areInitials = (short: readonly string[], long: readonly string[]): boolean =>
  short.length === 1 && long.length >= 3 && short[0] === long.map((word) => word[0]).join('');

/** Returns whether a short brand is one word that is no common word: "XM", but neither "FX" nor "UK". */
const isShortBrand = (words: readonly string[]): boolean =>
  words.length === 1 && words.every((word) => /^\p{L}[\p{L}\p{N}]+$/u.test(word) && !isCommon(word));

/** Returns whether one name is the other with added words, and the shared words identify firms. */
const isExtended = (one: readonly string[], other: readonly string[]): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((word) => long.includes(word)) && (short.some(isTelling) || isShortBrand(short));
};

/**
 * Returns the relation of two names without legal forms and places if it is a kind of equality; undefined otherwise.
 */
const compareRest = (a: NameParts, b: NameParts): NameRelation | undefined => {
  const isSound = (a.isForeign || b.isForeign) && a.sound === b.sound;
  if (a.compact !== b.compact && !isSound) {
    if (a.written === b.written) return 'abbreviated';
    return a.own.length > 1 && a.sorted === b.sorted ? 'reordered' : undefined;
  }
  if (a.isMixed !== b.isMixed) return 'look-alike';
  if (a.compact !== b.compact) return 'transliterated';
  return sameList(a.own, b.own) ? 'identical' : 'spaced';
};

const comparePlaces = (relation: NameRelation, a: NameParts, b: NameParts): NameRelation => {
  if (sameList(a.places, b.places)) return relation;
  return a.places.length === 0 || b.places.length === 0 ? 'place-added' : 'other-place';
};

const isOtherNumber = (a: NameParts, b: NameParts): boolean =>
  a.numbers !== b.numbers && withoutNumbers(a.own) === withoutNumbers(b.own);

/** Returns the relation of one name to another. */
export const nameRelation = (a: NameParts, b: NameParts): NameRelation => {
  const same = compareRest(a, b);
  if (same) return same === 'look-alike' ? same : comparePlaces(same, a, b);
  if (a.compact === '' || b.compact === '') return 'unlike';
  if (a.look === b.look) return 'look-alike';
  if (isOtherNumber(a, b)) return 'number-differs';
  if (isNear(a.compact, b.compact) || isNear(a.joined, b.joined)) return 'near';
  if (areInitials(a.own, b.own) || areInitials(b.own, a.own)) return 'initials';
  if (isExtended(a.full, b.full)) return 'extended';
  return a.own.some((word) => isTelling(word) && b.own.includes(word)) ? 'akin' : 'unlike';
};
