import { expect, test } from 'vitest';
import { askWhom } from './page.ts';

test.each([
  ['data@ratings.example', '<a href="mailto:data@ratings.example">data@ratings.example</a>'],
  ['https://ratings.example/data?a=1&b=2', '<a href="https://ratings.example/data?a=1&amp;b=2">'],
  [undefined, 'has not named a contact yet'],
])('says whom to ask: %s', (contact, said) => {
  expect(askWhom(contact).text).toContain(said);
});
