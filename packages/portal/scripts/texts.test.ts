import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../src/languages.ts';
import { type Catalogue, findFaults, writeModule, writeType } from './texts.ts';

const SOURCE = {
  greeting: 'Hello, {name}: {count, plural, one {# review} other {# reviews}}',
  steps: ['First', 'Then'],
};

describe('a translation', () => {
  test.each<[what: string, catalogue: Catalogue, locale: string, faults: string[]]>([
    ['has what the source has', SOURCE, 'en-GB', []],
    [
      'lacks a message, and has one too many',
      { greeting: SOURCE.greeting, steps: ['Erst'], more: 'Mehr' },
      'de-DE',
      ['steps.1: the message is missing', 'more: the source has no such message'],
    ],
    ['has an empty message', { ...SOURCE, steps: ['', 'Dann'] }, 'de-DE', ['steps.0: the message is missing']],
    [
      'misspells an argument',
      { ...SOURCE, greeting: 'Hallo, {nmae}: {count, plural, one {# Bewertung} other {# Bewertungen}}' },
      'de-DE',
      [
        'greeting: the arguments are { readonly count: number; readonly nmae: string } instead of { readonly count: number; readonly name: string }',
      ],
    ],
    [
      'lacks a plural form of its language',
      { ...SOURCE, greeting: '{name}: {count, plural, one {# opinia} other {# opinii}}' },
      'pl-PL',
      ['greeting: a plural lacks a form that pl-PL has'],
    ],
  ])('names what is wrong with a translation that %s', (_, catalogue, locale, faults) => {
    expect(findFaults(catalogue, SOURCE, locale)).toEqual(faults);
  });

  test.each([
    ['a brace that is never closed', 'Hello, {name'],
    ['a date, which the site formats itself', '{day, date, long}'],
    ['a choice by a word', '{kind, select, a {A} other {B}}'],
    ['an ordinal', '{count, selectordinal, one {#st} other {#th}}'],
  ])('%s is refused with the name of its message', (_, message) => {
    expect(() => findFaults({ greeting: message }, { greeting: message }, 'en-GB')).toThrow('greeting: ');
  });
});

test('a catalogue becomes a type with named arguments, and code that needs no library', () => {
  expect(writeType({ greeting: 'Hello, {name}', list: [{ title: 'A' }, { title: 'B', text: 'C' }] })).toContain(
    `export interface Messages {
readonly "greeting": ((said: { readonly name: string }) => string);
readonly "list": readonly ({
readonly "title": string;
readonly "text"?: string;
})[];
}`,
  );
  expect(writeModule('en-GB', { greeting: '{count, plural, =0 {`None`} other {# of {total}}}' })).toMatch(
    /"=0": `\\`None\\``, "other": `\$\{number\(said\.count\)\} of \$\{said\.total\}`/,
  );
});

/** Returns the messages of a catalogue by path. */
const listTexts = (node: Catalogue, path = ''): [path: string, text: string][] =>
  typeof node === 'string'
    ? [[path, node]]
    : Object.entries(node).flatMap(([name, item]) => listTexts(item as Catalogue, `${path}.${name}`));

const read = (code: string): Catalogue =>
  JSON.parse(readFileSync(new URL(`../src/texts/${code}.json`, import.meta.url), 'utf8')) as Catalogue;

test.each(LANGUAGES.slice(1).map(({ texts }) => texts.code))('no sentence of %s is still in English', (code) => {
  const english = new Map(listTexts(read('en')));
  const same = listTexts(read(code)).filter(([path, text]) => english.get(path) === text);
  expect(same.filter(([, text]) => text.replaceAll(/\{\w+\}/g, '').split(/[^\p{L}]+/u).length > 4)).toEqual([]);
});
