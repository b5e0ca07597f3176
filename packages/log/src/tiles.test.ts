import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBundle, encodeBundle, MOST_ENTRY, newTiles, parseTilePath, type Tile, tilePath } from './tiles.ts';

const tiles = fc.record<Tile>({
  level: fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant<'entries'>('entries')),
  index: fc.oneof(fc.nat(3000), fc.maxSafeNat()),
  width: fc.integer({ min: 1, max: 256 }),
});

describe('the path of a tile', () => {
  test.each<[string, Tile]>([
    ['tile/0/000', { level: 0, index: 0, width: 256 }],
    ['tile/63/999.p/255', { level: 63, index: 999, width: 255 }],
    ['tile/1/x001/000.p/1', { level: 1, index: 1000, width: 1 }],
    ['tile/0/x001/x234/067', { level: 0, index: 1234067, width: 256 }],
    ['tile/entries/x012/345.p/9', { level: 'entries', index: 12345, width: 9 }],
  ])('%s', (path, tile) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test('the path of a tile is parsed as it was formatted', () => {
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(tilePath(tile))).toEqual(tile);
      }),
    );
  });

  test.each([
    '',
    'tile/0',
    'tile/0/0',
    'tile/0/0000',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/001',
    'tile/0/001/002',
    'tile/0/x001',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/999',
    'tile/0/000.p/',
    'tile/data/000',
    '/tile/0/000',
    'tile/0/000\n',
    'tile/0/x009/x007/x199/x254/x740/992',
    `tile/0/${'x001/'.repeat(1000)}001`,
  ])('%j is refused', (path) => {
    expect(() => parseTilePath(path)).toThrow(/^expected the path of a tile, tile\/<L>\/<N>/);
  });

  test.each<Tile>([
    { level: 64, index: 0, width: 1 },
    { level: -1, index: 0, width: 1 },
    { level: 0, index: -1, width: 1 },
    { level: 0, index: 0, width: 0 },
    { level: 0, index: 0, width: 257 },
  ])('refuses to make a path of the tile %j', (tile) => {
    expect(() => tilePath(tile)).toThrow(RangeError);
  });
});

test('the tiles of a tree of 70 000 leaves are those of the specification', () => {
  const all = newTiles(0, 70_000);
  const partial = all.filter(({ width }) => width < 256).map(tilePath);
  expect(all).toHaveLength(273 + 1 + 1 + 1 + 1);
  expect(partial).toEqual(['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1']);
});

describe('a bundle of entries', () => {
  test('a bundle is decoded as it was encoded', () => {
    const entries = fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 256 });
    fc.assert(
      fc.property(entries, (list) => {
        expect(decodeBundle(encodeBundle(list))).toEqual(list);
      }),
    );
  });

  test('a bundle has entries of at most 65 535 bytes', () => {
    const longest = new Uint8Array(MOST_ENTRY).fill(7);
    expect(decodeBundle(encodeBundle([longest, longest]))).toEqual([longest, longest]);
    expect(() => encodeBundle([longest, new Uint8Array(MOST_ENTRY + 1)])).toThrow('entry 1 has 65536 bytes');
  });

  test('a bundle that is cut within an entry is refused', () => {
    const bundle = encodeBundle([new Uint8Array(3), new Uint8Array(300)]);
    for (let end = 0; end < bundle.length; end++)
      if (end !== 5) expect(() => decodeBundle(bundle.subarray(0, end)), `${end} bytes`).toThrow(SyntaxError);
  });

  test('a bundle has 1 to 256 entries', () => {
    expect(() => encodeBundle([])).toThrow(RangeError);
    expect(() => encodeBundle(Array(257).fill(new Uint8Array(1)))).toThrow(RangeError);
    expect(() => decodeBundle(new Uint8Array(257 * 2))).toThrow('expected a bundle of 1 to 256 entries, not 257');
  });
});
