import { expect, test } from 'vitest';
import { normalName, tellingWords } from './normal.rule.ts';

test.each([
  ['Alpha Markets Ltd', 'alpha markets ltd', 'alphamarkets'],
  ['ALPHA MARKETS LIMITED', 'alpha markets limited', 'alphamarkets'],
  ['Älpha-Markets GmbH & Co. KG', 'alpha markets gmbh and co kg', 'alphamarkets'],
  ['Alpha Märkets, S.A.', 'alpha markets sa', 'alphamarkets'],
  ['Alpha Markets S. à r.l.', 'alpha markets sarl', 'alphamarkets'],
  ['Alpha (Cyprus) Pty. Ltd.', 'alpha cyprus pty ltd', 'alphacyprus'],
  ['Alpha sp. z o.o.', 'alpha sp zoo', 'alpha'],
  ["O'Alpha Inc.", 'oalpha inc', 'oalpha'],
  ['Alpha Co Ltd LLC', 'alpha co ltd llc', 'alpha'],
  ['AG', 'ag', 'ag'],
  ['SA Limited', 'sa limited', 'sa'],
  ['Łódź Straße A/S', 'lodz strasse as', 'lodzstrasse'],
  ['アルファ', 'アルファ', 'アルファ'],
  ['!!!', '', ''],
])('the name %s is %s, and %s without its legal form', (name, whole, compact) => {
  expect(normalName(name)).toMatchObject({ whole, compact });
});

test.each([
  ['A1pha Markets', 'Alpha Markets'],
  ['ALPHA rnarkets Ltd', 'Alpha Markets'],
])('%s looks like %s', (one, other) => {
  expect(normalName(one).look).toBe(normalName(other).look);
});

test('words of the trade and places do not tell brokers apart', () => {
  expect(tellingWords(normalName('Zyxwell Capital Markets (Cyprus) Ltd'))).toEqual(['zyxwell']);
});
