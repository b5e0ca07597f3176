import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

test.each<[unknown, string]>([
  [null, 'null'],
  [true, 'true'],
  [-0, '0'],
  [1e21, '1e+21'],
  [333333333.3333333, '333333333.3333333'],
  [1e-7, '1e-7'],
  [4.5, '4.5'],
  [9007199254740991, '9007199254740991'],
  ['€$\u000f\nA\'B"\\/', '"€$\\u000f\\nA\'B\\"\\\\/"'],
  ['\u2028😂', '"\u2028😂"'],
  [[], '[]'],
  [{}, '{}'],
  [{ b: [1, { z: 1, y: 2 }], a: undefined }, '{"b":[1,{"y":2,"z":1}]}'],
  [Object.create(null, { a: { value: 1, enumerable: true } }), '{"a":1}'],
  // the standard's own example of the order of keys
  [
    { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 },
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  ],
])('%j is written as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

const deep = (): unknown => {
  let value: unknown = 1;
  for (let depth = 0; depth < 300; depth++) value = [value];
  return value;
};

test.each<[unknown, RegExp]>([
  [undefined, /^value is undefined/],
  [{ a: [1, Number.NaN] }, /^value\.a\[1\] is NaN, which is not JSON$/],
  [Infinity, /is Infinity/],
  [[undefined], /^value\[0\] is undefined/],
  [new Array(1), /^value\[0\] is undefined/],
  [{ a: 1n }, /^value\.a is a bigint/],
  [{ a: () => 1 }, /^value\.a is a function/],
  [{ a: Symbol('a') }, /^value\.a is a symbol/],
  [new Date(0), /\[object Date\]/],
  [new Map(), /\[object Map\]/],
  [{ a: 'x\ud800' }, /^value\.a is a text with a lone surrogate/],
  [{ '\udc00': 1 }, /lone surrogate/],
  [deep(), /nested more than 200 times/],
])('%# is refused, and its place is named', (value, message) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
  expect(() => canonicalJson(value)).toThrow(message);
});

test('the text parses to the same value, whatever the order of keys was', () => {
  const reversed = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value;
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = canonicalJson(value);
      expect(text).toBe(canonicalJson(JSON.parse(JSON.stringify(value), reversed)));
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text).not.toContain('\n');
    }),
  );
});
