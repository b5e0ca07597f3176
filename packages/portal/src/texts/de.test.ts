import { expect, test } from 'vitest';
import { de } from './de.ts';

test('a score has another word than a review, so that nobody takes one for the other', () => {
  const said = JSON.stringify([de.check, de.charts.history.title, de.find.list.color, de.find.home.ratings]);
  expect(said).toContain('Wertung');
  expect(said).not.toContain('Bewertung');
});
