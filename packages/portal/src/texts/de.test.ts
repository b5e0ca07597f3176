import { expect, test } from 'vitest';
import { charts, check, find } from '../generated/de.ts';

test('a score has another word than a review, so that nobody takes one for the other', () => {
  const said = JSON.stringify([check, charts.history.title, find.list.color, find.home.ratings]);
  expect(said).toContain('Wertung');
  expect(said).not.toContain('Bewertung');
});
