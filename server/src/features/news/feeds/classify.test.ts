import { expect, test } from 'vitest';
import { classify } from './classify.ts';
import { KEYWORDS } from './policy.rule.ts';

const market = { category: 'market', severity: 'info', authority: true } as const;

test.each([
  ['Alpha Markets opens an office', 'market', 'info'],
  ['Alpha Markets fined £2m', 'enforcement', 'serious'],
  ['ALPHA MARKETS FINED', 'enforcement', 'serious'],
  ['FCA fines Alpha: more to come', 'enforcement', 'serious'],
  ['Refined oil prices rise', 'market', 'info'],
  ['Regulator warns against “Alpha-Clone”', 'warning', 'serious'],
  ['Licence revoked: Alpha Markets', 'license_change', 'serious'],
  ['Founder arrested after licence revoked', 'enforcement', 'critical'],
  ['Alpha secures licence in Dubai', 'license_change', 'notice'],
  ['Bußgeld gegen Alpha', 'enforcement', 'serious'],
  ["Retrait d'agrément d'Alpha", 'license_change', 'serious'],
  ['Outage at Alpha', 'service', 'notice'],
])('%s: %s, %s', (title, category, severity) => {
  expect(classify(title, market)).toEqual({ category, severity });
});

test('keywords never lower the severity of the feed', () => {
  expect(classify('Alpha fined', { category: 'warning', severity: 'critical', authority: true })).toEqual({
    category: 'enforcement',
    severity: 'critical',
  });
});

test('keywords never raise an item above info if its feed is no authority', () => {
  for (const { words, category } of KEYWORDS)
    for (const word of words)
      expect(classify(`x ${word} y`, { ...market, authority: false }), word).toEqual({ category, severity: 'info' });
  expect(classify('x', { ...market, severity: 'critical', authority: false }).severity).toBe('info');
});

test('every keyword is in lower case and matches', () => {
  for (const { words } of KEYWORDS)
    for (const word of words) {
      expect(word).toBe(word.toLowerCase());
      expect(classify(`x ${word} y`, market), word).not.toMatchObject({ category: 'market', severity: 'info' });
    }
});
