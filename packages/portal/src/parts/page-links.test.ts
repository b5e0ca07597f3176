import { expect, test } from 'vitest';
import { computePosition } from './page-links.ts';

test.each([
  [undefined, 0, { page: 1, last: 1, offset: 0 }],
  [undefined, 25, { page: 1, last: 1, offset: 0 }],
  [undefined, 26, { page: 1, last: 2, offset: 0 }],
  [2, 26, { page: 2, last: 2, offset: 25 }],
  [3, 26, { page: 2, last: 2, offset: 25 }],
  [0, 26, { page: 1, last: 2, offset: 0 }],
])('page %s of %i items', (asked, total, place) => {
  expect(computePosition(asked, total, 25)).toEqual(place);
});
