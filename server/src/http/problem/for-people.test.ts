import { expect, test } from 'vitest';
import { asksForPage, refusalPage } from './for-people.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

test.each([
  ['/', BROWSER, true],
  ['/brokers/alpha', 'text/html', true],
  ['/de/brokers/alpha?x=/api/v1/', BROWSER, true],
  ['/brokers/alpha', '*/*', false],
  ['/brokers/alpha', 'application/json', false],
  ['/brokers/alpha', undefined, false],
  ['/api/v1/brokers', BROWSER, false],
  ['/transparency/v1/log/checkpoint', BROWSER, false],
])('%s with Accept %s is for a person: %s', (url, accept, is) => {
  expect(asksForPage({ url, headers: accept === undefined ? {} : { accept } })).toBe(is);
});

test('a refusal says to people what is wrong, what to do, and the number of their request', () => {
  const page = refusalPage('unavailable', '1234-5678');
  expect(page).toContain('<html lang="en">');
  expect(page).toMatch(/<h1>[^<]+<\/h1>\n<p>Load this page again/);
  expect(page).toContain('1234-5678');
});
