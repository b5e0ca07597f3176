import { entryKey } from '@broker-transparency/contract/record';
import { canonicalJson } from '@broker-transparency/log';
import { describe, expect, test } from 'vitest';
import { filterPublic, parseLineKey } from './texts.rule.ts';

test.each([
  ['review', '68f0'],
  ['broker', 'a"b\\c'],
  ['news', 'é\n'],
] as const)('the key of a line is found without parsing it: %s/%s', (kind, part) => {
  const key = entryKey(kind, part);
  expect(parseLineKey(canonicalJson({ texts: { a: { salt: '', text: '"key":"x"' } }, key }))).toBe(key);
});

const [one, two] = [
  { salt: 'a', text: 'one' },
  { salt: 'b', text: 'two' },
];

describe('what is still public', () => {
  test.each([
    ['all', { title: one, content: two }, { title: one, content: two }, { title: one, content: two }],
    ['without a field that is gone', { title: one, content: two }, { title: one }, { title: one }],
    ['without a text that was replaced', { title: one }, { title: { ...one, text: 'other' } }, {}],
    ['without random bytes that were replaced', { title: one }, { title: { ...one, salt: 'c' } }, {}],
    ['nothing', { title: one }, {}, {}],
    ['not what is new', { title: one }, { title: one, reply: two }, { title: one }],
  ])('%s', (_, texts, current, expected) => {
    expect(filterPublic(texts as never, current as never)).toEqual(expected);
  });
});
