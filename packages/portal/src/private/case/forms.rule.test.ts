import { GIVEN_REASON_CODES } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import { readAppeal, readReport } from './forms.rule.ts';

const TEXT = 'It calls me a thief.\r\nThat is not true.';
const FIELDS = { reason: 'insult', text: TEXT, name: 'A Reader', mail: 'reader@mail.example', faith: 'yes' };

test.each(GIVEN_REASON_CODES)('a report for the reason %s is read', (reason) => {
  expect(readReport({ ...FIELDS, reason })).toEqual({
    report: {
      reason,
      text: TEXT.replace('\r', ''),
      isAnonymous: false,
      sender: { name: 'A Reader', mail: 'reader@mail.example' },
    },
  });
});

test.each([
  [{}, ['reason', 'text', 'name', 'mail', 'faith']],
  [{ ...FIELDS, reason: 'merged' }, ['reason']],
  [{ ...FIELDS, reason: undefined }, ['reason']],
  [{ ...FIELDS, text: 'short' }, ['text']],
  [{ ...FIELDS, text: 'x'.repeat(2001) }, ['text']],
  [{ ...FIELDS, name: ' A ' }, ['name']],
  [{ ...FIELDS, name: 'A\u0007B' }, ['name']],
  [{ ...FIELDS, mail: 'reader' }, ['mail']],
  [{ ...FIELDS, mail: `${'a'.repeat(250)}@mail.example` }, ['mail']],
  [{ ...FIELDS, faith: 'no' }, ['faith']],
  [{ text: TEXT, child: 'yes' }, ['faith']],
])('a report %o has the problems %o', (fields, problems) => {
  expect(readReport(fields)).toEqual({ problems });
});

test('a report of somebody who is signed in needs no name and no address, and keeps its reason', () => {
  const { name: _, mail: __, ...fields } = FIELDS;
  const report = { reason: 'insult', text: TEXT.replace('\r', ''), isAnonymous: false };
  expect(readReport(fields, true)).toEqual({ report });
});

test.each([false, true])('a report of an offence against a child names nobody, signed in: %s', (isSignedIn) => {
  expect(readReport({ ...FIELDS, child: 'yes' }, isSignedIn)).toEqual({
    report: { reason: 'unlawful', text: TEXT.replace('\r', ''), isAnonymous: true },
  });
});

test.each([
  [{ text: ` ${TEXT} ` }, TEXT.replace('\r', '')],
  [{ text: 'short' }, undefined],
  [{}, undefined],
])('an appeal %o has the text %j', (fields, text) => expect(readAppeal(fields)).toBe(text));
