import anyAscii from 'any-ascii';

/** Alphabets that have one usual spelling in Latin letters. Scripts of syllables and words are kept as they are. */
const ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]+/gu;

const ASCII = /^[\x20-\x7f]*$/;

/** Folds case and accents of Latin letters, so that "zurich" finds "Zürich". */
export const foldLatin = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase()
        .replaceAll('ß', 'ss')
        .replaceAll('ø', 'o')
        .replaceAll('ł', 'l')
        .replaceAll('æ', 'ae')
        .replaceAll('œ', 'oe')
        .replaceAll('đ', 'd')
        .replaceAll('ð', 'd')
        .replaceAll('þ', 'th')
        .replaceAll('ı', 'i');

/**
 * Folds text. Accents of Cyrillic letters are part of them (й is not и), so they are transliterated before accents are
 * removed.
 */
export const fold = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : foldLatin(text.normalize('NFKC').replace(ALPHABETS, (letters) => anyAscii(letters).replaceAll("'", '')));

/** Splits folded text. Folding comes first, since it turns a "½" into several words. */
export const splitWords = (folded: string): string[] =>
  folded.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');

const LATIN = /\p{Script=Latin}/u;
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** Returns whether a word mixes alphabets, as look-alikes do: an "Аlpha" whose first letter is Cyrillic. */
export const mixesAlphabets = (text: string): boolean =>
  !ASCII.test(text) &&
  text
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .some((word) => LATIN.test(word) && OTHER.test(word));

/** Removes invisible characters, which split a word for a program but not for a reader. */
export const withoutInvisible = (text: string): string =>
  ASCII.test(text) ? text : text.replace(/[\p{Cf}\p{Cc}]+/gu, (all) => (/\s/.test(all) ? ' ' : ''));

/** Letters that look like others, with the letter that they are mistaken for. */
const LOOKS: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['0', 'o'],
  ['1', 'l'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['8', 'b'],
  ['i', 'l'],
];

/** Returns folded text as a hurried reader sees it: "a1pha" is "alpha". */
export const looks = (folded: string): string => LOOKS.reduce((text, [from, to]) => text.replaceAll(from, to), folded);

/** Spellings of one sound by the usual transliterations: ISO 9, BGN/PCGN, GOST, ELOT 743, and German umlauts. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh/g, 's'],
  [/tch|ch/g, 'c'],
  [/kh/g, 'h'],
  [/zh/g, 'z'],
  [/ts|tz/g, 'c'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/ck|qu|q|k/g, 'c'],
  [/x/g, 'cs'],
  [/w/g, 'v'],
  [/mp(?=[aeiou])/g, 'b'],
  [/ou/g, 'u'],
  [/[jy]/g, 'i'],
  [/ie|ii|ei|oi/g, 'i'],
  [/i(?=[aou])/g, ''],
  [/([aou])e/g, '$1'],
  [/h/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Returns folded text without the differences between transliterations. Compare it only with the same form. */
export const sounds = (folded: string): string =>
  SOUNDS.reduce((text, [from, to]) => text.replace(from, to), folded.replace(/[^\p{L}\p{N}]/gu, ''));

/** Returns whether a text has letters with several spellings in ASCII. */
export const hasForeignLetters = (text: string): boolean =>
  !ASCII.test(text) && /[^\p{ASCII}]/u.test(text.normalize('NFKC').replace(/[^\p{L}]/gu, ''));

/** Scripts that are not transliterated into Latin letters, by their Unicode names. */
const KEPT_SCRIPTS = (
  'Arabic Bengali Devanagari Ethiopic Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Malayalam ' +
  'Myanmar Sinhala Tamil Telugu Thai Tibetan'
)
  .split(' ')
  .map((name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** Returns the scripts of a text that match only the same letters, and no Latin name. */
export const findKeptScripts = (text: string): string[] =>
  ASCII.test(text) ? [] : KEPT_SCRIPTS.filter(({ letters }) => letters.test(text)).map(({ name }) => name);
