import { similarity } from '../reviews/similarity.rule.ts';
import { SCRIPTS, WORDS } from './words.rule.ts';

/** What a hint can point to. A hint never decides anything: a moderator reads the review. */
type HintCode = 'near_duplicate' | 'link' | 'contact_data' | 'tone' | 'language' | 'burst';

export interface Hint {
  readonly code: HintCode;
  /** For the moderator. */
  readonly detail: string;
}

/** What the rules look at. */
export interface HintedReview {
  readonly rating: number;
  readonly title: string;
  readonly content: string;
  readonly language: string;
}

/** What is around a review. */
export interface Surroundings {
  /** Reviews whose texts may be alike. */
  readonly candidates: readonly { readonly id: string; readonly content: string }[];
  /** Reviews of the broker in the day up to this one, itself included, and in the 90 days before that day. */
  readonly lastDay: number;
  readonly before: number;
}

/** From this share of common text on, two reviews count as near-duplicates. */
const NEAR = 0.6;
/** A burst has at least so many reviews in a day, and at least so many times the daily mean of the quarter before. */
const BURST = { reviews: 8, times: 5, days: 90 } as const;

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .match(/\p{L}+/gu) ?? [];

const nearDuplicate = ({ content }: HintedReview, { candidates }: Surroundings): Hint[] => {
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

const found = (code: HintCode, what: string, pattern: RegExp, text: string): Hint[] => {
  const match = pattern.exec(text)?.[0];
  return match === undefined ? [] : [{ code, detail: `${what}: ${Array.from(match).slice(0, 60).join('')}` }];
};

const pointers = ({ title, content }: HintedReview): Hint[] => {
  const text = `${title}\n${content}`;
  const [contact] = [
    ...found('contact_data', 'an e-mail address', EMAIL, text),
    ...found('contact_data', 'a telephone number', PHONE, text),
    ...found('contact_data', 'a messenger account', MESSENGER, text),
  ];
  return [...found('link', 'a link', LINK, text), ...(contact ? [contact] : [])];
};

const primary = (language: string): string => language.split('-', 1)[0] as string;

/** Counts words of praise and of blame; one after a negation in the same clause counts on the other side. */
const toneOf = (text: string, language: string): { good: number; bad: number } => {
  const known = WORDS[language];
  const tone = { good: 0, bad: 0 };
  if (!known) return tone;
  for (const clause of text.split(/[.!?;:,\n]/)) {
    const all = words(clause);
    for (const [index, word] of all.entries()) {
      const good = known.good.includes(word);
      if (!good && !known.bad.includes(word)) continue;
      const turned = all.slice(Math.max(0, index - 3), index).some((earlier) => known.not.includes(earlier));
      tone[good === turned ? 'bad' : 'good'] += 1;
    }
  }
  return tone;
};

const toneMismatch = ({ rating, title, content, language }: HintedReview): Hint[] => {
  const { good, bad } = toneOf(`${title}\n${content}`, primary(language));
  const against = rating >= 4 ? bad >= 2 && good === 0 : rating <= 2 && good >= 2 && bad === 0;
  const detail = `${rating} stars, and the words are ${rating >= 4 ? 'of blame' : 'of praise'}`;
  return against ? [{ code: 'tone', detail }] : [];
};

const SCRIPT_PATTERNS = Object.keys(SCRIPTS).map((script) => ({
  script,
  // Japanese is mostly kana
  pattern: new RegExp(script === 'Han' ? '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]' : `\\p{sc=${script}}`, 'gu'),
}));

/** The script of nearly all letters of a text. */
const scriptOf = (text: string): string | undefined => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return undefined;
  return SCRIPT_PATTERNS.find(({ pattern }) => (text.match(pattern)?.length ?? 0) >= 0.8 * letters)?.script;
};

const languageMismatch = ({ content, language }: HintedReview): Hint[] => {
  const stated = primary(language);
  const script = scriptOf(content);
  const expected = Object.keys(SCRIPTS).find((key) => SCRIPTS[key]?.includes(stated));
  const writtenScript = language.split('-').some((part) => part.length === 4); // such as sr-Latn: not for these rules
  if (script && expected && script !== expected && !writtenScript)
    return [{ code: 'language', detail: `stated ${language}, written in ${script} letters` }];
  if (!WORDS[stated]) return [];
  const all = words(content);
  const count = (key: string): number => all.filter((word) => WORDS[key]?.frequent.includes(word)).length;
  const other = Object.keys(WORDS).find((key) => key !== stated && count(key) >= 5);
  return other && count(stated) === 0
    ? [{ code: 'language', detail: `stated ${language}, the words look ${other}` }]
    : [];
};

const burst = (_: HintedReview, { lastDay, before }: Surroundings): Hint[] =>
  lastDay >= BURST.reviews && lastDay >= (BURST.times * before) / BURST.days
    ? [
        {
          code: 'burst',
          detail: `${lastDay} reviews of this broker within a day, ${before} in the ${BURST.days} days before`,
        },
      ]
    : [];

const RULES = [nearDuplicate, pointers, toneMismatch, languageMismatch, burst];

/** Everything a moderator should look at twice. */
export const hintsOf = (review: HintedReview, around: Surroundings): Hint[] =>
  RULES.flatMap((rule) => rule(review, around));
