import { REASONS } from '@broker-transparency/contract';
import type { NoticeLanguage } from './languages.rule.ts';

/** The meanings of codes in one language. */
export interface NoticeWords {
  readonly reasons: Readonly<Record<string, string>>;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly endings: Readonly<Record<string, string>>;
  readonly states: Readonly<Record<string, string>>;
  /** Kinds of entries of the record. */
  readonly changes: Readonly<Record<string, string>>;
}

/** The files of one kind in one language. The first line of `template` is the subject. */
export interface NoticeTexts {
  readonly template: string;
  /** The frame of every text. */
  readonly frame: string;
  readonly words: NoticeWords;
}

/** The changes of a broker in a week. */
export interface NamedChanges {
  readonly name: string;
  readonly link: string;
  /** Kinds of entries of the record. */
  readonly kinds: readonly string[];
}

/** The parts of a message. */
export interface Composition {
  readonly language: NoticeLanguage;
  readonly data: Readonly<Record<string, unknown>>;
  /** Current name of the broker. */
  readonly broker?: string | undefined;
  readonly link?: string | undefined;
  /** Where a person stops mail about what they sent. */
  readonly stop?: string | undefined;
  /** Where a follower sees and ends what they follow. */
  readonly manage?: string | undefined;
  /** Brokers that a follower follows, and what changed about each. */
  readonly changes?: readonly NamedChanges[] | undefined;
}

type PlaceholderValues = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Returns the names of all placeholders in a text. */
export const listPlaceholders = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name]) => String(name));

const isFilled = (paragraph: string, values: PlaceholderValues): boolean =>
  listPlaceholders(paragraph).every((name) => (values[name] ?? '') !== '');

/** Fills a text. A paragraph of which something is not known is left out. */
const fillText = (text: string, values: PlaceholderValues): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter((paragraph) => isFilled(paragraph, values))
    .map((paragraph) => paragraph.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? ''))
    .join('\n\n');

const LOCALES: Readonly<Record<NoticeLanguage, string>> = { en: 'en-GB', de: 'de-DE', es: 'es-ES' };

const formatDay = (time: unknown, language: NoticeLanguage): string | undefined =>
  typeof time === 'string'
    ? new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
    : undefined;

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The statement of reasons, where it says more than its code. */
const pickFacts = ({ facts, reasonCode }: Composition['data']): string | undefined => {
  const said = toText(facts);
  const reason = Object.hasOwn(REASONS, String(reasonCode)) ? REASONS[reasonCode as keyof typeof REASONS] : undefined;
  return said === reason?.description ? undefined : said;
};

const describeChanges = (changes: readonly NamedChanges[] | undefined, words: NoticeWords): string | undefined =>
  changes
    ?.map(({ name, link, kinds }) => `${name}: ${kinds.map((kind) => words.changes[kind] ?? kind).join(', ')}\n${link}`)
    .join('\n\n');

const buildValues = (
  { data, broker, link, stop, manage, changes, language }: Composition,
  words: NoticeWords,
): PlaceholderValues => {
  const word = (kind: keyof NoticeWords, code: unknown) => (typeof code === 'string' ? words[kind][code] : undefined);
  return {
    broker,
    link,
    stop,
    manage,
    changes: describeChanges(changes, words),
    reference: toText(data['reference']),
    code: toText(data['code']),
    authority: toText(data['authority']),
    url: toText(data['url']),
    title: toText(data['title']),
    text: toText(data['text']),
    facts: pickFacts(data),
    reason: word('reasons', data['reasonCode']),
    outcome: word('outcomes', data['outcome']),
    ending: word('endings', data['ending']),
    status: word('states', data['status']),
    dueAt: formatDay(data['dueAt'], language),
    finalAt: formatDay(data['finalAt'], language),
    appealUntil: formatDay(data['appealUntil'], language),
    endsAt: formatDay(data['endsAt'], language),
  };
};

/** The names that templates may use. */
export const PLACEHOLDERS = Object.keys(
  buildValues({ language: 'en', data: {} }, { reasons: {}, outcomes: {}, endings: {}, states: {}, changes: {} }),
);

/** Makes subject and text of a message. A subject is one line, whatever is put in. */
export const composeMessage = (
  { template, frame, words }: NoticeTexts,
  composition: Composition,
): { readonly subject: string; readonly text: string } => {
  const [first = '', ...rest] = template.split('\n');
  const values = buildValues(composition, words);
  const subject = first.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? '');
  const body = fillText(rest.join('\n'), values);
  return { subject: subject.replaceAll(/[\p{C}\s]+/gu, ' ').trim(), text: `${fillText(frame, { ...values, body })}\n` };
};
