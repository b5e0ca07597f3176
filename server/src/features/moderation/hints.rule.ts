import { similarity } from '../reviews/similarity.rule.ts';
import { SCRIPTS, WORDS } from './words.rule.ts';

/** The kinds of hints. A hint never decides anything: a moderator reads the review. */
export const HINT_CODES = ['near_duplicate', 'link', 'contact_data', 'tone', 'language', 'burst'] as const;
export type HintCode = (typeof HINT_CODES)[number];

export interface Hint {
  readonly code: HintCode;
  /** Explains the hint to the moderator. */
  readonly detail: string;
}

/** The part of a review that the rules examine. */
export interface HintedReview {
  readonly rating: number;
  readonly title: string;
  readonly content: string;
  readonly language: string;
}

/** Data around a review. */
export interface Surroundings {
  /** Reviews whose texts may be similar. */
  readonly candidates: readonly { readonly id: string; readonly content: string }[];
  /** Number of the broker's reviews in the 24 hours up to and including this one, and in the 90 days before these. */
  readonly lastDay: number;
  readonly before: number;
}

/** Minimum share of common text that makes two reviews near-duplicates. */
export const NEAR = 0.6;
/**
 * A burst has at least this many reviews in a day, and at least this multiple of the daily mean of the 90 days before.
 */
export const BURST = { reviews: 8, times: 5, days: 90 } as const;

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .match(/\p{L}+/gu) ?? [];

const findNearDuplicate = ({ content }: HintedReview, { candidates }: Surroundings): Hint[] => {
  const [nearest] = candidates
    .map(({ id, content: other }) => ({ id, share: similarity(content, other) }))
    .filter(({ share }) => share >= NEAR)
    .sort((a, b) => b.share - a.share || a.id.localeCompare(b.id));
  return nearest
    ? [
        {
          code: 'near_duplicate',
          detail: `${Math.floor(nearest.share * 100)} % of the text is that of review ${nearest.id}`,
        },
      ]
    : [];
};

const LINK =
  /\b(?:https?:\/\/|www\.)\S+|(?<![@\p{L}\p{N}.-])[a-z0-9-]{2,}\.(?:com|net|org|io|info|biz|ru|co|me|ly|xyz|online|site|top)\b/iu;
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
const PHONE = /(?<![\p{L}\p{N}])(?:\+|00)\d[\d ()/.-]{7,}\d/u;
const MESSENGER = /\b(?:t|wa)\.me\/\w+|\b(?:telegram|whatsapp|skype|wechat|signal)\W{1,3}(?:@\w{3,}|\+?\d{6,})/iu;

const matchHint = (code: HintCode, what: string, pattern: RegExp, text: string): Hint[] => {
  const match = pattern.exec(text)?.[0];
  return match === undefined ? [] : [{ code, detail: `${what}: ${Array.from(match).slice(0, 60).join('')}` }];
};

const findPointers = ({ title, content }: HintedReview): Hint[] => {
  const text = `${title}\n${content}`;
  const [contact] = [
    ...matchHint('contact_data', 'an e-mail address', EMAIL, text),
    ...matchHint('contact_data', 'a telephone number', PHONE, text),
    ...matchHint('contact_data', 'a messenger account', MESSENGER, text),
  ];
  return [...matchHint('link', 'a link', LINK, text), ...(contact ? [contact] : [])];
};

/** A part of a text that a hint is about, by positions in UTF-16 code units; `to` is after the last. */
export interface HintMark {
  readonly code: HintCode;
  readonly from: number;
  readonly to: number;
}

const POINTERS: readonly (readonly [HintCode, RegExp])[] = [
  ['contact_data', EMAIL],
  ['contact_data', PHONE],
  ['contact_data', MESSENGER],
  ['link', LINK],
];

/** Returns the parts of a text that hints are about, in order. Where two overlap, the first one counts. */
export const findMarks = (text: string, codes: readonly HintCode[]): HintMark[] => {
  const marks = POINTERS.filter(([code]) => codes.includes(code)).flatMap(([code, pattern]) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(
      ({ 0: found, index }): HintMark => ({ code, from: index, to: index + found.length }),
    ),
  );
  let end = 0;
  return marks
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
};

const getPrimaryLanguage = (language: string): string => language.split('-', 1)[0] as string;

/** Counts words of praise and blame. A word after a negation in the same clause counts on the other side. */
const countTone = (text: string, language: string): { good: number; bad: number } => {
  const known = WORDS[language];
  const tone = { good: 0, bad: 0 };
  if (!known) return tone;
  for (const clause of text.split(/[.!?;:,\n]/)) {
    const all = splitWords(clause);
    for (const [index, word] of all.entries()) {
      const good = known.good.includes(word);
      if (!good && !known.bad.includes(word)) continue;
      const turned = all.slice(Math.max(0, index - 3), index).some((earlier) => known.not.includes(earlier));
      tone[good === turned ? 'bad' : 'good'] += 1;
    }
  }
  return tone;
};

const findToneMismatch = ({ rating, title, content, language }: HintedReview): Hint[] => {
  const { good, bad } = countTone(`${title}\n${content}`, getPrimaryLanguage(language));
  const against = rating >= 4 ? bad >= 2 && good === 0 : rating <= 2 && good >= 2 && bad === 0;
  const detail = `${rating} stars, and the words are ${rating >= 4 ? 'of blame' : 'of praise'}`;
  return against ? [{ code: 'tone', detail }] : [];
};

const SCRIPT_PATTERNS = Object.keys(SCRIPTS).map((script) => ({
  script,
  // Japanese is mostly kana
  pattern: new RegExp(script === 'Han' ? '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]' : `\\p{sc=${script}}`, 'gu'),
}));

/** Returns the script of nearly all letters of a text, or undefined. */
const detectScript = (text: string): string | undefined => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return undefined;
  return SCRIPT_PATTERNS.find(({ pattern }) => (text.match(pattern)?.length ?? 0) >= 0.8 * letters)?.script;
};

const findLanguageMismatch = ({ content, language }: HintedReview): Hint[] => {
  const stated = getPrimaryLanguage(language);
  const script = detectScript(content);
  const expected = Object.keys(SCRIPTS).find((key) => SCRIPTS[key]?.includes(stated));
  // A tag such as sr-Latn states its script, which these rules cannot judge.
  const writtenScript = language.split('-').some((part) => part.length === 4);
  if (script && expected && script !== expected && !writtenScript)
    return [{ code: 'language', detail: `stated ${language}, written in ${script} letters` }];
  if (!WORDS[stated]) return [];
  const all = splitWords(content);
  const count = (key: string): number => all.filter((word) => WORDS[key]?.frequent.includes(word)).length;
  const other = Object.keys(WORDS).find((key) => key !== stated && count(key) >= 5);
  return other && count(stated) === 0
    ? [{ code: 'language', detail: `stated ${language}, the words look ${other}` }]
    : [];
};

/** Returns true if the reviews of a day are a burst, given their number in the time before. */
export const isBurst = ({ lastDay, before }: Pick<Surroundings, 'lastDay' | 'before'>): boolean =>
  lastDay >= BURST.reviews && lastDay >= (BURST.times * before) / BURST.days;

const findBurst = (_: HintedReview, { lastDay, before }: Surroundings): Hint[] =>
  isBurst({ lastDay, before })
    ? [
        {
          code: 'burst',
          detail: `${lastDay} reviews of this broker within a day, ${before} in the ${BURST.days} days before`,
        },
      ]
    : [];

const RULES = [findNearDuplicate, findPointers, findToneMismatch, findLanguageMismatch, findBurst];

/** Returns all hints for a moderator. */
export const findHints = (review: HintedReview, around: Surroundings): Hint[] =>
  RULES.flatMap((rule) => rule(review, around));
