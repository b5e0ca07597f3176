import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  CalendarDate,
  Country,
  Cursor,
  Extensible,
  KeyCursor,
  Language,
  Lei,
  Money,
  Month,
  QueryInteger,
  RegulatorCode,
  SentTimestamp,
  Slug,
  Text,
  Tier,
  Timestamp,
  WebUrl,
} from './primitives.ts';
import { Rating } from './reviews.ts';

const REFUSED = Symbol('refused');
type Outcome = unknown;

/** Returns a schema's output for an input, or REFUSED. */
const outcome = (schema: z.ZodType, input: unknown): Outcome => {
  const result = schema.safeParse(input);
  return result.success ? result.data : REFUSED;
};
const issueCode = (schema: z.ZodType, input: unknown): string | undefined => {
  const issue = schema.safeParse(input).error?.issues[0];
  return issue?.code === 'custom' ? String(issue.params?.['code']) : issue?.code;
};

const notStrings = [undefined, null, 0, Number.NaN, true, [], ['a'], {}, { toString: () => 'a' }];

/** Inputs that a schema takes unchanged, takes in another form, and refuses. */
interface Cases {
  readonly schema: z.ZodType;
  readonly taken: readonly unknown[];
  readonly changed?: readonly (readonly [input: unknown, output: unknown])[];
  readonly refused: readonly unknown[];
}

const tables: Record<string, Cases> = {
  SentTimestamp: {
    schema: SentTimestamp,
    taken: ['2026-11-02T09:30:00Z', '2026-11-02T09:30:00.123456Z'],
    changed: [
      ['2026-11-02T09:30:00+00:00', '2026-11-02T09:30:00Z'],
      ['2026-11-02T09:30:00.5+00:00', '2026-11-02T09:30:00.5Z'],
    ],
    refused: [
      ...notStrings,
      '',
      '+00:00',
      '2026-11-02',
      '2026-11-02T09:30:00',
      '2026-11-02T09:30:00Z+00:00',
      '2026-11-02T09:30+00:00',
      '2026-11-02T09:30:00-00:00',
      '2026-11-02T09:30:00+0000',
      '2026-11-02T09:30:00+01:00',
      '2026-02-30T00:00:00Z',
    ],
  },
  // the values that a server may send and that the strict client accepts
  'Extensible(red, green)': {
    schema: Extensible(z.enum(['red', 'green'])),
    taken: ['red', 'green'],
    refused: [...notStrings, 'purple', 'Red', ''],
  },
  'Text(3, 5)': {
    schema: Text(3, 5),
    taken: ['abc', 'abcde', 'a b', '日本語', '😀😀😀', '😀😀😀😀😀', 'a\nb', '<b>', '$ne'],
    changed: [
      ['\tabc\n', 'abc'],
      ['\u2003abc\ufeff', 'abc'],
      [' abc ', 'abc'],
      ['\u200babc', '\u200babc'],
    ],
    refused: [
      ...notStrings,
      '',
      'ab',
      ' ab ',
      '     ',
      '\u3000\u3000\u3000',
      'abcdef',
      ' abcde ',
      '\u200bab\u200b',
      'a\u2800\u2800',
      '😀😀',
      '😀😀😀😀😀😀',
      'ab\0c',
      '\0\0\0',
      'abc\ud83d',
      '\ude00abc',
      'a\ude00\ud83dc',
    ],
  },
  'QueryInteger(1, 100)': {
    schema: QueryInteger(1, 100),
    taken: [],
    changed: [
      ['1', 1],
      ['7', 7],
      ['100', 100],
    ],
    refused: [
      ...notStrings,
      '',
      ' ',
      ' 7',
      '7 ',
      '7\n',
      '0x10',
      '0b1',
      '0o7',
      '1e1',
      '+1',
      '-1',
      '-0',
      '01',
      '00',
      '1.0',
      '1.',
      '.5',
      '1_0',
      '0',
      '101',
      '9007199254740993',
      '1000000000',
      '999999999',
      'NaN',
      'Infinity',
      '٣',
      '１',
      '七',
      7,
      ['7'],
      ['7', '8'],
      { $gt: '1' },
    ],
  },
  'QueryInteger(0, 100000)': {
    schema: QueryInteger(0, 100_000),
    taken: [],
    changed: [
      ['0', 0],
      ['100000', 100_000],
    ],
    refused: ['100001', '-0', '00', ''],
  },
  Slug: {
    schema: Slug,
    taken: ['a', '0', 'alpha-markets', 'a-1-b', 'a'.repeat(80)],
    refused: [
      ...notStrings,
      '',
      '-',
      '-a',
      'a-',
      'a--b',
      'A',
      'a_b',
      'a b',
      'a.b',
      '..',
      '../a',
      'a/b',
      'a%20b',
      'é',
      'a\n',
      ' a',
      'a\0',
      'a'.repeat(81),
      '__proto__',
    ],
  },
  RegulatorCode: {
    schema: RegulatorCode,
    taken: ['fca', 'fsc-mu', 'a'.repeat(40)],
    refused: [...notStrings, '', 'FCA', 'fsc_mu', 'fsc-', 'a'.repeat(41)],
  },
  Country: {
    schema: Country,
    taken: ['GB', 'US'],
    refused: [...notStrings, '', 'gb', 'GBR', 'G', 'G1', 'GB\n', ' GB', 'ＧＢ'],
  },
  Language: {
    schema: Language,
    taken: ['en', 'fil', 'pt-BR', 'es-419', 'zh-Hant', 'zh-Hant-TW'],
    refused: [
      ...notStrings,
      '',
      'e',
      'EN',
      'engl',
      'english',
      'en-us',
      'en_US',
      'en-',
      '-en',
      'en-USA',
      'zh-hant',
      'en-GB-oxendict',
      'x-klingon',
      'en\n',
      ' en',
    ],
  },
  Money: {
    schema: Money,
    taken: ['0.00', '0.01', '250.00', '999999999999.99'].map((amount) => ({ amount, currency: 'USD' })),
    refused: [
      ...notStrings,
      ...[
        '250',
        '250.0',
        '250.000',
        '-1.00',
        '+1.00',
        '01.00',
        '.50',
        '1e3',
        '1,000.00',
        ' 1.00',
        '',
        '1000000000000.00',
      ].map((amount) => ({ amount, currency: 'USD' })),
      { amount: 250, currency: 'USD' },
      { amount: '٢٥٠.00', currency: 'USD' },
      { amount: '250.00' },
      { currency: 'USD' },
      { amount: '250.00', currency: 'usd' },
      { amount: '250.00', currency: 'US' },
      { amount: '250.00', currency: 'USD', note: '' },
      JSON.parse('{"amount":"250.00","currency":"USD","__proto__":{"a":1}}'),
    ],
  },
  WebUrl: {
    schema: WebUrl,
    taken: [
      'https://alpha.example',
      'http://alpha.example/',
      'https://alpha.example:8443/a/b?c=d&e=%20#f',
      'https://localhost/',
      'https://[2001:db8::1]/x',
      'https://münchen.example/gebühren',
      'https://alpha.example/@a',
    ],
    changed: [[' https://alpha.example ', 'https://alpha.example']],
    refused: [
      ...notStrings,
      '',
      '/fees',
      '//alpha.example',
      'alpha.example',
      'www.alpha.example/fees',
      '?a=b',
      '#a',
      'javascript:alert(1)',
      'javascript://alpha.example/%0aalert(1)',
      'data:text/html,x',
      'ftp://a.example',
      'file:///etc',
      'mailto:a@b.example',
      'https',
      'https:',
      'https://',
      'https:///',
      'https:///a.example',
      'https:a.example',
      'https:/a',
      'https://?a',
      'https://#a',
      'https:\\\\a.example',
      'https://a.example\\@b.example',
      'https://user@a.example',
      'https://user:word@a.example',
      'https://a.example/a b',
      'https://a.example/\0',
      'https://a.example/\ud800',
      `https://a.example/${'a'.repeat(2000)}`,
    ],
  },
  Lei: {
    schema: Lei,
    taken: ['529900T8BM49AURSDO55', '00000000000000000000'],
    refused: [
      ...notStrings,
      '',
      '529900t8bm49aursdo55',
      '529900T8BM49AURSDO5',
      '529900T8BM49AURSDO555',
      '529900T8BM49AURSDOAA',
      '529900T8BM49-URSDO55',
      '529900T8BM49AURSDO55\n',
    ],
  },
  Timestamp: {
    schema: Timestamp,
    taken: ['2026-11-02T09:30:00Z', '2026-11-02T09:30:00.5Z', '2026-11-02T23:59:59.999999Z', '2024-02-29T00:00:00Z'],
    refused: [
      ...notStrings,
      '',
      '2026-11-02',
      '2026-11-02T09:30:00',
      '2026-11-02T09:30Z',
      '2026-11-02 09:30:00Z',
      '2026-11-02t09:30:00z',
      '2026-11-02T09:30:00+00:00',
      '2026-11-02T09:30:00-00:00',
      '2026-11-02T09:30:00+0100',
      '2026-11-02T09:30:00+01:00',
      '2026-12-31T23:59:60Z',
      '2026-11-02T24:00:00Z',
      '2026-11-02T09:60:00Z',
      '2026-02-30T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2100-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-11-31T00:00:00Z',
      '2026-11-00T00:00:00Z',
      '2026-11-02T09:30:00.Z',
      '+002026-11-02T09:30:00Z',
      '26-11-02T09:30:00Z',
      '2026-11-02T09:30:00Z\n',
    ],
  },
  CalendarDate: {
    schema: CalendarDate,
    taken: ['2014-03-01', '2024-02-29'],
    refused: [
      ...notStrings,
      '',
      '2014-02-30',
      '2023-02-29',
      '2100-02-29',
      '2014-13-01',
      '2014-00-01',
      '2014-3-1',
      '01-03-2014',
      '2014-03',
      '2014-03-01T00:00:00Z',
    ],
  },
  Month: {
    schema: Month,
    taken: ['2026-01', '2026-12'],
    refused: [...notStrings, '', '2026-00', '2026-13', '2026-1', '26-11', '2026-11-01', '2026-11\n'],
  },
  Tier: {
    schema: Tier,
    taken: [1, 2, 3, 4],
    refused: [0, -0, 5, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, [1], true],
  },
  Cursor: {
    schema: Cursor,
    taken: ['1.a', '-1.aZ09-', `1764504000123.${'a'.repeat(180)}`],
    refused: [...notStrings, '', 'a', '1', '1.', '.a', '1.a_', '1.5.a', '1.a b', `1.${'a'.repeat(181)}`],
  },
  KeyCursor: {
    schema: KeyCursor,
    taken: ['a', 'aZ09_-', 'a'.repeat(200)],
    refused: [...notStrings, '', 'a=', 'a+b', 'a/b', 'a b', 'a'.repeat(201)],
  },
  Rating: {
    schema: Rating,
    taken: Array.from({ length: 401 }, (_, n) => (100 + n) / 100),
    refused: [
      0,
      -0,
      0.99,
      5.01,
      1.005,
      4.555,
      4.000000001,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -1,
      '4',
      null,
      undefined,
      [4],
    ],
  },
};

describe.each(Object.entries(tables))('%s', (_, { schema, taken, changed = [], refused }) => {
  const shown = (inputs: readonly unknown[]) => inputs.map((input) => ({ input, json: JSON.stringify(input) }));

  if (taken.length > 0)
    test.each(shown(taken))('takes $json', ({ input }) => expect(outcome(schema, input)).toEqual(input));
  if (changed.length > 0)
    test.each(changed)('takes %j as %j', (input, output) => expect(outcome(schema, input)).toBe(output));
  test.each(shown(refused))('refuses $json', ({ input }) => expect(outcome(schema, input)).toBe(REFUSED));
});

test.each([
  [Text(3, 5), 'ab', 'too_small'],
  [Text(3, 5), '   ', 'too_small'],
  [Text(3, 5), 'abcdef', 'too_big'],
  [Text(3, 5), 'ab\0c', 'not_well_formed'],
  [Text(3, 5), 'abcdefgh\ud800', 'not_well_formed'],
  [Text(3, 5), '     a', 'too_big'],
  [QueryInteger(1, 100), '1e1', 'invalid_format'],
  [QueryInteger(1, 100), '0', 'too_small'],
  [QueryInteger(1, 100), '101', 'too_big'],
  [Rating, 4.555, 'too_precise'],
  [Rating, 0, 'too_small'],
  [Rating, 6, 'too_big'],
  [WebUrl, 'https://user@a.example', 'invalid_format'],
  [WebUrl, 'javascript:alert(1)', 'invalid_format'],
] as const)('issue code %#: %j gives %s', (schema, input, code) => {
  expect(issueCode(schema, input)).toBe(code);
});

test('schemas document their bounds', () => {
  expect(z.toJSONSchema(Text(3, 5), { io: 'input' })).toMatchObject({ type: 'string', minLength: 3, maxLength: 5 });
  expect(QueryInteger(1, 100).meta()).toEqual({ type: 'integer', minimum: 1, maximum: 100 });
});

test('Text counts code points, and never splits one', () => {
  for (const unit of ['a', 'é', '語', '😀'])
    for (let length = 0; length <= 12; length++) {
      const text = unit.repeat(length);
      expect(outcome(Text(4, 9), text), `${length} × ${unit}`).toBe(length >= 4 && length <= 9 ? text : REFUSED);
    }
});

test('Text accepts exactly the well-formed texts that its JSON Schema allows', () => {
  for (const [min, max] of [
    [0, 4],
    [1, 4],
    [2, 4],
    [3, 5],
    [5, 9],
  ] as const) {
    const schema = Text(min, max);
    const { pattern, minLength, maxLength } = z.toJSONSchema(schema, { io: 'input' });
    const form = new RegExp(pattern as string, 'u');
    const allows = (text: string): boolean => {
      const { length } = [...text];
      return form.test(text) && length >= (minLength as number) && length <= (maxLength as number);
    };
    const unit = fc.constantFrom(
      'a',
      'é',
      '😀',
      ' ',
      '\t',
      '\n',
      '\x85',
      '\u00a0',
      '\u200b',
      '\u2800',
      '\ufe0f',
      '\ufeff',
      '\0',
      '.',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
        expect(outcome(schema, units.join('')) !== REFUSED).toBe(allows(units.join('')));
      }),
      { seed: 20_261_126, numRuns: 2000 },
    );
  }
});

test('the pattern of a text takes no more time for a bad text than for a good one', () => {
  const { pattern } = z.toJSONSchema(Text(20, 5000), { io: 'input' });
  const form = new RegExp(pattern as string, 'u');
  const began = performance.now();
  for (const slow of [
    `${'a'.repeat(50_000)}\0`,
    ' '.repeat(50_000),
    `${'a '.repeat(25_000)}\0`,
    `${'a'.repeat(19)}${' '.repeat(50_000)}`,
  ])
    expect(form.test(slow)).toBe(false);
  expect(performance.now() - began).toBeLessThan(1000);
});

test('Text needs a visible character', () => {
  expect(outcome(Text(4, 9), '\u200d'.repeat(6))).toBe(REFUSED);
  expect(outcome(Text(0, 9), '')).toBe('');
  expect(outcome(Text(4, 9), '★★★★')).toBe('★★★★');
});

test('Text refuses every lone surrogate', () => {
  for (let unit = 0xd800; unit <= 0xdfff; unit++)
    expect(outcome(Text(1, 9), `a${String.fromCharCode(unit)}b`), unit.toString(16)).toBe(REFUSED);
});
