import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../problem/problem.ts';
import { parseQuery } from './query.ts';

const refusal = (text: string): ProblemError => {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error(`"${text}" was taken`);
};

describe('a query string', () => {
  test.each([
    [undefined, {}],
    [null, {}],
    ['', {}],
    ['&&', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['&a=1&', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=a', { '': 'a' }],
    ['a=b=c', { a: 'b=c' }],
    ['a==1', { a: '=1' }],
    ['a=1;b=2', { a: '1;b=2' }],
    ['=', { '': '' }],
    ['?', { '?': '' }],
    ['a[0]=1&a[1]=2', { 'a[0]': '1', 'a[1]': '2' }],
    ['$or[0][a]=1', { '$or[0][a]': '1' }],
    ['__proto__[x]=1', { '__proto__[x]': '1' }],
    [`${'a['.repeat(2000)}${']'.repeat(2000)}=1`, { [`${'a['.repeat(2000)}${']'.repeat(2000)}`]: '1' }],
    ['%00=1', { '\0': '1' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a=%2B%26%3D', { a: '+&=' }],
    ['a%5Bb%5D=1', { 'a[b]': '1' }],
    ['a[$ne]=1', { 'a[$ne]': '1' }],
    ['a.b=1&a=2', { 'a.b': '1', a: '2' }],
    ['q=Z%C3%BCrich', { q: 'Zürich' }],
    ['q=%00', { q: '\0' }],
    ['a=1&A=2', { a: '1', A: '2' }],
    ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ])('%j is %j', (text, expected) => {
    expect({ ...parseQuery(text) }).toEqual(expected);
  });

  test('a query string may name __proto__ without becoming it', () => {
    const query = parseQuery('__proto__=1');
    expect(Object.keys(query)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });

  test('a query string only ever holds strings', () => {
    for (const value of Object.values(parseQuery('a=1&b[]=2&c[x]=3&d=true&e=null'))) expect(value).toBeTypeOf('string');
  });
});

describe('refused is', () => {
  test.each([
    ['a=1&a=2', 'a'],
    ['a=1&a=1', 'a'],
    ['a=1&%61=2', 'a'],
    ['a&b&a', 'a'],
    ['=1&=2', ''],
    ['__proto__=1&__proto__=2', '__proto__'],
    ['a[]=1&a[]=2', 'a[]'],
  ])('a repeated parameter: %s', (text, parameter) => {
    const { code, errors } = refusal(text);
    expect(code).toBe('invalid_request');
    expect(errors).toEqual([{ parameter, code: 'repeated', detail: `"${parameter}" may be given once only.` }]);
  });

  test.each([
    ['a=%', 'a'],
    ['a=%2', 'a'],
    ['a=%zz', 'a'],
    ['a=%z', 'a'],
    ['a=%u0041', 'a'],
    ['a=%FF', 'a'],
    ['a=%C0%AF', 'a'],
    ['a=%ED%B0%80', 'a'],
    ['a=%F5%80%80%80', 'a'],
    ['%FF=1', 'query'],
    ['a=%FC', 'a'],
    ['a=%C0%80', 'a'],
    ['a=%ED%A0%80', 'a'],
    ['ok=1&a=%', 'a'],
    ['%=1', 'query'],
    ['%FC', 'query'],
  ])('an invalid percent-encoding: %s', (text, parameter) => {
    const { status, errors } = refusal(text);
    expect(status).toBe(400);
    expect(errors).toEqual([
      { parameter, code: 'invalid_encoding', detail: `"${parameter}" has an invalid percent-encoding.` },
    ]);
  });
});

test('any text is parsed or refused by name', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-c%+=&0-9A-F]{0,30}$/));
  fc.assert(
    fc.property(text, (query) => {
      try {
        const parsed = parseQuery(query);
        expect(Object.getPrototypeOf(parsed)).toBeNull();
        for (const value of Object.values(parsed)) expect(typeof value).toBe('string');
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
        expect((error as ProblemError).errors).toHaveLength(1);
      }
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

test('a written query string is read back as it was', () => {
  const wellFormed = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(wellFormed, wellFormed), (parameters) => {
      expect({ ...parseQuery(new URLSearchParams(parameters).toString()) }).toEqual({ ...parameters });
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

test('more parameters than any route has are refused before they are read', () => {
  const query = (count: number): string => Array.from({ length: count }, (_, n) => `p${n}=%zz`).join('&');
  expect(() => parseQuery(query(51))).toThrow('The query has more than 50 parameters.');
  expect(() => parseQuery(query(50))).toThrow('"p0" has an invalid percent-encoding.');
});
