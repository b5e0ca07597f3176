import { expect, test } from 'vitest';
import { findAdvice } from './advice.rule.ts';

const plain = {
  rating: 4,
  title: 'Quick to pay out',
  content: 'I have withdrawn from this account twice, and the money was there with the next day of the week.',
  language: 'en',
};

test.each([
  [plain, []],
  [{ ...plain, content: `${plain.content} Write to me@mail.example` }, ['contact_data']],
  [{ ...plain, content: `${plain.content} See https://broker.example/bonus` }, ['link']],
  [{ ...plain, language: 'de' }, ['language']],
] as const)('an author is told of %o before it is sent: %s', (review, codes) => {
  expect(findAdvice(review)).toEqual(codes);
});
