import { expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { nameRegulator } from './regulator-name.ts';

test.each([
  ['fsa-sc', 'SC', 'FSA (Seychelles)'],
  ['fsa-jp', 'JP', 'FSA (Japan)'],
  ['bafin', 'DE', 'BaFin (Germany)'],
  ['adgm-fsra', 'AE', 'ADGM FSRA (United Arab Emirates)'],
  ['fca', 'GB', 'FCA (United Kingdom)'],
  ['finanstilsynet-no', 'NO', 'Finanstilsynet (Norway)'],
])('the regulator %s of %s is called %s', (code, country, name) => {
  expect(nameRegulator(LANGUAGES[0], { code, country })).toBe(name);
});
