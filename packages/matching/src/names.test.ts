import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEADING_FORMS, LEGAL_FORMS } from './legal-forms.ts';
import { areAkin, formRelation, nameKey, nameParts, nameRelation } from './names.ts';

test.each([
  ['Alpha Markets Ltd', 'alpha markets', 'ltd', []],
  ['ALPHA MARKETS, LIMITED.', 'alpha markets', 'ltd', []],
  ['Älpha-Markets GmbH & Co. KG', 'alpha markets', 'gmbh and co kg', []],
  ['Alpha S. à r.l.', 'alpha', 'sarl', []],
  ['Alpha sp. z o.o.', 'alpha', 'sp z oo', []],
  ['Alpha A/S', 'alpha', 'as', []],
  ['Alpha (Cyprus) Pty. Ltd.', 'alpha', 'pty ltd', ['CY']],
  ['Alpha Ltd (UK)', 'alpha', 'ltd', ['GB']],
  ['Alpha St Vincent and the Grenadines LLC', 'alpha', 'llc', ['VC']],
  ['ООО «Альфа»', 'alfa', 'ooo', []],
  ['Alpha (Pty) Ltd', 'alpha', 'pty ltd', []],
  ['UAB Alpha', 'alpha', 'uab', []],
  ['AG Alpha', 'ag alpha', undefined, []],
  ['Alpha Investment Firm Ltd', 'alpha investment firm', 'ltd', []],
  ['株式会社青葉', '青葉', 'kk', []],
  ['青葉㈱', '青葉', 'kk', []],
  ['The Alpha & Beta Group Inc.', 'alpha beta group', 'inc', []],
  ['J. P. Alpha plc', 'jp alpha', 'plc', []],
  ['Al\u200bpha Ltd', 'alpha', 'ltd', []],
  ['Cyprus Ltd', 'cyprus', 'ltd', []],
  ['SA Limited', 'sa', 'ltd', []],
  ['Ltd', 'ltd', undefined, []],
  ['!!', '', undefined, []],
])('%j has the own part %j, the form %s and the places %j', (name, own, form, places) => {
  const parts = nameParts(name);
  expect(parts.own.join(' ')).toBe(own);
  expect(parts.form?.form).toBe(form);
  expect(parts.places).toEqual(places);
});

describe('the table of legal forms', () => {
  test.each(LEGAL_FORMS.map(({ form, spellings }) => [form, spellings] as const))(
    'reads %s however it is spelled',
    (form, spellings) => {
      for (const spelling of spellings)
        expect([spelling, nameParts(`Zyxwell ${spelling}`).form?.form]).toEqual([spelling, form]);
    },
  );
  test('the table has each spelling once, and each leading form', () => {
    const all = LEGAL_FORMS.flatMap(({ spellings }) => spellings);
    expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
    expect(LEADING_FORMS.filter((one) => !all.includes(one))).toEqual(['sc']);
  });
});

describe('one name and another', () => {
  const relate = (one: string, other: string) => nameRelation(nameParts(one), nameParts(other));
  test.each([
    ['Alpha Markets Ltd', 'ALPHA MÄRKETS LIMITED', 'identical'],
    ['The Alpha Group', 'Alpha Group', 'identical'],
    ['Alpha & Beta Ltd', 'Alpha and Beta Ltd', 'identical'],
    ['Alpha FX Ltd', 'AlphaFX Ltd', 'spaced'],
    ['Альфа Форекс', 'Alfa-Forex', 'transliterated'],
    ['Müller Handel', 'Mueller Handel', 'transliterated'],
    ['Alpha International', 'Alpha Intl', 'abbreviated'],
    ['Markets of Alpha', 'Alpha of Markets', 'reordered'],
    ['Alpha (Cyprus) Ltd', 'Alpha Ltd', 'place-added'],
    ['Alpha UK Ltd', 'Alpha Cyprus Ltd', 'other-place'],
    ['Alpha Fund 1', 'Alpha Fund 2', 'number-differs'],
    ['Alpha Fund II', 'Alpha Fund III', 'number-differs'],
    ['A1pha Markets', 'Alpha Markets', 'look-alike'],
    ['Аlpha Markets', 'Alpha Markets', 'look-alike'], // a Cyrillic letter
    ['Alpha Market', 'Alpha Markets', 'near'],
    ['Aplha Markets', 'Alpha Markets', 'near'],
    ['Aplha', 'Alpha', 'near'],
    ['Alfa Markets', 'Alpha Markets', 'near'], // no accents: not a choice of transliteration
    ['ABC', 'Alpha Beta Capital', 'initials'],
    ['Zyxwell', 'Zyxwell Capital Partners', 'extended'],
    ['Zyxwell Capital', 'Zyxwell Options', 'akin'],
    ['Alpha Markets', 'Omega Markets', 'unlike'],
    ['Global Capital', 'Omega Global Capital', 'unlike'],
  ])('%j and %j: %s', (one, other, relation) => {
    expect(relate(one, other)).toBe(relation);
    expect(relate(other, one)).toBe(relation);
  });

  test.each([
    ['A Ltd', 'A Limited', 'same'],
    ['A Ltd', 'A', 'unstated'],
    ['A Ltd', 'A Pty Ltd', 'kin'],
    ['A LLC', 'ООО A', 'kin'],
    ['A Ltd', 'A LLC', 'differs'],
    ['A Ltd', 'A plc', 'differs'],
    ['A GmbH', 'A AG', 'differs'],
  ])('the forms of %j and %j: %s', (one, other, relation) => {
    const [a, b] = [nameParts(one).form, nameParts(other).form];
    expect(formRelation(a, b)).toBe(relation);
    expect(formRelation(b, a)).toBe(relation);
  });

  test('any two names relate symmetrically, and each to itself identically', () => {
    const word = fc.constantFrom(
      'Alpha',
      'Beta',
      'Ltd',
      'GmbH',
      'ООО',
      'Альфа',
      'UK',
      '(Cyprus)',
      'FX',
      '24',
      'II',
      '株式会社',
      'S.A.',
    );
    const name = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(word, fc.string())).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(relate(one, other)).toBe(relate(other, one));
        if (nameParts(one).compact !== '') expect(relate(one, one)).toBe('identical');
        expect(nameKey(nameKey(one))).toBe(nameKey(one));
        expect(areAkin(one, other)).toBe(areAkin(other, one));
      }),
      { seed: 20_261_123, numRuns: 1_000 },
    );
  });
});
