import { expect, test } from 'vitest';
import { findNextPage, type Pagination, withParameter } from './pages.rule.ts';

const CURSOR: Pagination = { type: 'cursor', parameter: 'cursorMark', first: '*', next: 'nextCursorMark' };
const PAGE: Pagination = { type: 'page', parameter: 'page', first: 1, size: 50, total: 'result.total' };

test.each([
  [{ url: 'https://a.example/' }, { url: 'https://a.example/?p=x%20y' }],
  [{ url: 'https://a.example/?q=1' }, { url: 'https://a.example/?q=1&p=x%20y' }],
  [
    { url: 'https://a.example/', body: '{"q":1}' },
    { url: 'https://a.example/', body: '{"q":1,"p":"x y"}' },
  ],
  [
    { url: 'https://a.example/', body: 'q=1' },
    { url: 'https://a.example/', body: 'q=1&p=x%20y' },
  ],
  [
    { url: 'https://a.example/', body: '' },
    { url: 'https://a.example/', body: 'p=x%20y' },
  ],
])('%j with a parameter is %j', (page, asked) => {
  expect(withParameter(page, 'p', 'x y')).toEqual(asked);
});

test.each<[Pagination, string | number, unknown, string | number | undefined]>([
  [CURSOR, '*', { nextCursorMark: 'AB' }, 'AB'],
  [CURSOR, 'AB', { nextCursorMark: 'AB' }, undefined],
  [PAGE, 1, { result: { total: 51 } }, 2],
  [PAGE, 2, { result: { total: 51 } }, undefined],
  [PAGE, 1, { result: { total: 50 } }, undefined],
  [PAGE, 1, { result: { total: '120' } }, 2],
  [PAGE, 1, { result: { total: 0 } }, undefined],
])('%j leads from page %s with the answer %j to page %s', (paging, asked, answer, next) => {
  expect(findNextPage(paging, asked, answer)).toBe(next);
});

test.each<[Pagination, unknown, string]>([
  [CURSOR, {}, 'has no nextCursorMark'],
  [CURSOR, null, 'has no nextCursorMark'],
  [PAGE, { result: {} }, 'has no result.total'],
  [PAGE, { result: { total: 'many' } }, 'has no result.total'],
  [PAGE, { result: { total: -1 } }, 'has no result.total'],
])('%j does not go on after %j', (paging, answer, why) => {
  expect(() => findNextPage(paging, 1, answer)).toThrow(why);
});
