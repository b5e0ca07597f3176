import { describe, expect, test } from 'vitest';
import { findCanary, findNextPosition, readPage, requireProgress } from './feed.rule.ts';
import { RollbackError } from './wrong.rule.ts';

const entry = (number: number, key = `news/${number}`, value: unknown = {}) => ({ number, key, value });
/** A page behind 9, as the feed has it. */
const page = (numbers: readonly number[], more: object = {}) => {
  const through = 9 + numbers.length;
  return {
    after: 9,
    through,
    end: through,
    entries: numbers.map((n) => entry(n)),
    tree: { size: through + 1 },
    ...more,
  };
};
const answer = (body: object, status = 200) => ({ status, body: JSON.stringify(body) });

describe('a page', () => {
  test('goes on behind the number that was asked', () => {
    expect(readPage(answer(page([10, 11])), 9)).toMatchObject({ through: 11, end: 11 });
    expect(readPage(answer(page([])), 9)).toMatchObject({ through: 9 });
  });

  test.each([
    ['a number is missing', page([10, 12]), /^the feed lacks number 11$/],
    ['a number comes twice', page([10, 10]), /^the feed lacks number 11$/],
    ['it begins too late', page([11]), /^the feed lacks number 10$/],
    ['it claims more than it has', page([10], { through: 12 }), /^the feed covers 12, and its page ends at 10$/],
    ['its tree is smaller', page([10], { tree: { size: 10 } }), /^the tree of the feed has 10 entries, not 11$/],
    ['it ends before itself', page([10, 11], { end: 10 }), /^the feed says that it ends at 10/],
    ['a field is missing', { entries: [] }, /^the feed answers without a right through$/],
  ])('a page is wrong if %s', (_what, body, error) => {
    expect(() => readPage(answer(body), 9)).toThrow(error);
  });

  test('a page is wrong if it is a problem', () => {
    expect(() => readPage(answer({ code: 'unavailable' }, 503), 9)).toThrow('the feed answers 503 (unavailable)');
  });
});

describe('what the record had a minute ago', () => {
  const read = (body: object) => readPage(answer(body), 9);

  test('the feed gives what the record had a minute ago, or a full page before it', () => {
    requireProgress(read(page([10, 11])), { after: 9, end: 11 });
    const full = read(page([10, 11], { end: 5000 }));
    requireProgress(full, { after: 9, end: 4000 });
    expect(findNextPosition(full, { after: 9, end: 4000 })).toBe(3999);
    expect(findNextPosition(full, { after: 9, end: 11 })).toBeUndefined();
  });

  test('a feed that stands still misses what the record had a minute ago', () => {
    expect(() => requireProgress(read(page([], { end: 12 })), { after: 9, end: 12 })).toThrow(
      'the feed stops at 9, and the record had 12 a minute ago',
    );
  });

  test('the feed need not have what came within this minute', () => {
    requireProgress(read(page([], { end: 12 })), { after: 9, end: 9 });
  });

  test('a shorter record means that entries were taken back', () => {
    expect(() => requireProgress(read(page([])), { after: 9, end: 12 })).toThrow(RollbackError);
  });
});

test('a canary is known by its key and mark', () => {
  const key = 'service-level/canary/frankfurt-1';
  const entries = [
    entry(10, key, { mark: '2026-11-23T10:05Z' }),
    entry(11, 'service-level/canary/oslo-1', { mark: '2026-11-23T10:10Z' }),
    entry(12, key, null),
    entry(13, key, { mark: '2026-11-23T10:10Z' }),
  ];
  const found = readPage(answer(page([10, 11, 12, 13], { entries })), 9);
  expect(findCanary(found, 'frankfurt-1', '2026-11-23T10:10Z')).toBe(13);
  expect(findCanary(found, 'frankfurt-1', '2026-11-23T10:15Z')).toBeUndefined();
});
