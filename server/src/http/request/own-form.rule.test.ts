import { expect, test } from 'vitest';
import { isOwnForm } from './own-form.rule.ts';

const OWN = 'https://ratings.example';

test.each([
  ['a browser that says both', { origin: OWN, 'sec-fetch-site': 'same-origin' }],
  ['a page that keeps back its address', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['a form that a person sends again', { origin: OWN, 'sec-fetch-site': 'none' }],
  ['an older browser', { origin: OWN }],
  ['a browser behind a proxy of another name', { origin: 'https://inside.example:8443', host: 'inside.example:8443' }],
  ['a program', {}],
])('a form of %s is taken', (_name, headers) => {
  expect(isOwnForm(headers, `${OWN}/`)).toBe(true);
});

test.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a neighbour', { origin: 'https://other.ratings.example', 'sec-fetch-site': 'same-site' }],
  ['another site in an older browser', { origin: 'https://evil.example' }],
  ['another site that keeps back its address', { origin: 'null' }],
  ['another site that keeps back its address in a newer browser', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a name that begins alike', { origin: 'https://ratings.example.evil.example' }],
  ['another port', { origin: 'https://ratings.example:8443' }],
  ['an unencrypted page of the same name', { origin: 'http://ratings.example', host: 'ratings.example' }],
  ['headers that contradict each other', { origin: OWN, 'sec-fetch-site': 'cross-site' }],
  ['a header that was sent twice', { origin: OWN, 'sec-fetch-site': ['same-origin', 'cross-site'] }],
])('a form of %s is refused', (_name, headers) => {
  expect(isOwnForm(headers, OWN)).toBe(false);
});
