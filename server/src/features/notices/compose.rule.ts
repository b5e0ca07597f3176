import { REASONS } from '@broker-transparency/contract';
import type { NoticeLanguage } from './languages.rule.ts';

/** What codes mean in one language. */
export interface Words {
  readonly reasons: Readonly<Record<string, string>>;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly endings: Readonly<Record<string, string>>;
  readonly states: Readonly<Record<string, string>>;
}

/** The files of one kind in one language. The first line of `template` is the subject. */
export interface Texts {
  readonly template: string;
  /** What is around every text. */
  readonly frame: string;
  readonly words: Words;
}

/** What a message is made of. */
export interface Composition {
  readonly language: NoticeLanguage;
  readonly data: Readonly<Record<string, unknown>>;
  /** Current name of the broker. */
  readonly broker?: string | undefined;
  readonly link?: string | undefined;
  /** Where mail is stopped. */
  readonly stop?: string | undefined;
}

type Values = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Returns the names of all placeholders in a text. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name]) => String(name));

const isFilled = (paragraph: string, values: Values): boolean =>
  placeholdersOf(paragraph).every((name) => (values[name] ?? '') !== '');

/** Fills a text. A paragraph of which something is not known is left out. */
const fill = (text: string, values: Values): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter((paragraph) => isFilled(paragraph, values))
    .map((paragraph) => paragraph.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? ''))
    .join('\n\n');

const LOCALES: Readonly<Record<NoticeLanguage, string>> = { en: 'en-GB', de: 'de-DE' };

const dayOf = (time: unknown, language: NoticeLanguage): string | undefined =>
  typeof time === 'string'
    ? new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
    : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The statement of reasons, where it says more than its code. */
const factsOf = ({ facts, reasonCode }: Composition['data']): string | undefined => {
  const said = textOf(facts);
  const reason = Object.hasOwn(REASONS, String(reasonCode)) ? REASONS[reasonCode as keyof typeof REASONS] : undefined;
  return said === reason?.description ? undefined : said;
};

const valuesOf = ({ data, broker, link, stop, language }: Composition, words: Words): Values => {
  const word = (kind: keyof Words, code: unknown) => (typeof code === 'string' ? words[kind][code] : undefined);
  return {
    broker,
    link,
    stop,
    reference: textOf(data['reference']),
    code: textOf(data['code']),
    authority: textOf(data['authority']),
    url: textOf(data['url']),
    title: textOf(data['title']),
    text: textOf(data['text']),
    facts: factsOf(data),
    reason: word('reasons', data['reasonCode']),
    outcome: word('outcomes', data['outcome']),
    ending: word('endings', data['ending']),
    status: word('states', data['status']),
    dueAt: dayOf(data['dueAt'], language),
    finalAt: dayOf(data['finalAt'], language),
    appealUntil: dayOf(data['appealUntil'], language),
    endsAt: dayOf(data['endsAt'], language),
  };
};

/** The names that templates may use. */
export const PLACEHOLDERS = Object.keys(
  valuesOf({ language: 'en', data: {} }, { reasons: {}, outcomes: {}, endings: {}, states: {} }),
);

/** Makes subject and text of a message. A subject is one line, whatever is put in. */
export const compose = (
  { template, frame, words }: Texts,
  composition: Composition,
): { readonly subject: string; readonly text: string } => {
  const [first = '', ...rest] = template.split('\n');
  const values = valuesOf(composition, words);
  const subject = first.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? '');
  const body = fill(rest.join('\n'), values);
  return { subject: subject.replaceAll(/[\p{C}\s]+/gu, ' ').trim(), text: `${fill(frame, { ...values, body })}\n` };
};
