import {
  computeSubtreesRoot,
  decodeBundle,
  encodeBundle,
  hashSubtrees,
  leafInput,
  parseTilePath,
  type Subtrees,
  TILE_HEIGHT,
  TILE_WIDTH,
  toBase64,
} from '@broker-transparency/log';
import { describe, expect, test } from 'vitest';
import { createFileSource, type FileSource } from '../transfer.ts';
import { sha256 } from './hash.ts';
import { createTree, firstOther, readEntries } from './log.ts';

const encodeEntry = (number: number): Uint8Array => new TextEncoder().encode(`{"number":${number}}`);
const hashed = (entries: readonly Uint8Array[]): Subtrees =>
  hashSubtrees(
    entries.map((entry) => sha256(leafInput(entry))),
    sha256,
  );

/** Files of a log; `change` makes others of them. */
const createSource = (
  { entries, tree }: { entries: readonly Uint8Array[]; tree: Subtrees },
  change: (path: string, bytes: Uint8Array) => Uint8Array = (_, bytes) => bytes,
): FileSource & { readonly asked: string[] } => {
  const asked: string[] = [];
  const readFile = (path: string): Uint8Array => {
    const { level, index, width } = parseTilePath(path);
    const slice = <T>(all: readonly T[]): readonly T[] => all.slice(index * TILE_WIDTH, index * TILE_WIDTH + width);
    if (level === 'entries') return encodeBundle(slice(entries));
    return Buffer.concat(slice(tree[level * TILE_HEIGHT] ?? []));
  };
  return {
    asked,
    ...createFileSource('audit', 'https://log.example/a', {
      retries: 0,
      fetch: async (address) => {
        const path = address.slice('https://log.example/a/'.length);
        asked.push(path);
        return new Response(Buffer.from(change(path, readFile(path))));
      },
    }),
  };
};

/** Audits the tree of a log. Returns the entries that are not the signed ones; undefined if the log is sound. */
const audit = async (source: FileSource, size: number, root: string) => {
  const tree = createTree([size]);
  for await (const entries of readEntries(source, size)) for (const entry of entries) tree.add(entry);
  return tree.rootAt(size) === root ? 'sound' : firstOther(source, { size, root }, tree.hashes());
};

const flip = (bytes: Uint8Array, at: number): Uint8Array => Buffer.from(bytes).fill((bytes[at] ?? 0) ^ 1, at, at + 1);

/** Five full tiles, and a last one of seven. */
const SIZE = TILE_WIDTH * 5 + 7;
const entries = Array.from({ length: SIZE }, (_, number) => encodeEntry(number));
const log = { entries, tree: hashed(entries) };
const ROOT = toBase64(computeSubtreesRoot(log.tree, sha256));

describe('the tree of a log', () => {
  test.each([1, 255, 256, 257, 700, SIZE])('the tree of %i entries has the root that was signed', async (size) => {
    const some = { entries: entries.slice(0, size), tree: hashed(entries.slice(0, size)) };
    expect(await audit(createSource(some), size, toBase64(computeSubtreesRoot(some.tree, sha256)))).toBe('sound');
  });

  test.each([0, 255, 256, 700, SIZE - 8, SIZE - 7, SIZE - 1])(
    'names entry %i if it is another one than was signed, and asks for few tiles',
    async (number) => {
      const source = createSource({ ...log, entries: entries.with(number, encodeEntry(-1)) });
      expect(await audit(source, SIZE, ROOT)).toEqual({ first: number, last: number });
      expect(source.asked.filter((path) => !path.startsWith('tile/entries')).length).toBeLessThanOrEqual(4);
    },
  );

  test('names an entry of a log whose tiles of level 1 are full', async () => {
    const size = TILE_WIDTH ** 2 + TILE_WIDTH + 7;
    const all = Array.from({ length: size }, (_, number) => encodeEntry(number));
    const large = { entries: all.with(TILE_WIDTH ** 2 + 3, encodeEntry(-1)), tree: hashed(all) };
    const root = toBase64(computeSubtreesRoot(large.tree, sha256));
    const number = TILE_WIDTH ** 2 + 3;
    expect(await audit(createSource(large), size, root)).toEqual({ first: number, last: number });
  });

  test('names the first entry where many are other ones', async () => {
    const source = createSource({
      ...log,
      entries: entries.map((entry, at) => (at > 1000 ? encodeEntry(-at) : entry)),
    });
    expect(await audit(source, SIZE, ROOT)).toEqual({ first: 1001, last: 1001 });
  });

  test('names 256 entries where the hashes of single ones do not lead to the root', async () => {
    const source = createSource({ ...log, entries: entries.with(300, encodeEntry(-1)) }, (path, bytes) =>
      path === 'tile/0/001' ? flip(bytes, 32 * 9) : bytes,
    );
    expect(await audit(source, SIZE, ROOT)).toEqual({ first: 256, last: 511 });
  });

  test('names no entry where no file of the log leads to the root', async () => {
    expect(await audit(createSource(log), SIZE, toBase64(sha256(new Uint8Array())))).toBeUndefined();
  });

  test.each([0, 300, SIZE - 1])('names entry %i if its bundle lacks it', async (number) => {
    const index = Math.floor(number / TILE_WIDTH);
    const source = createSource(log, (path, bytes) => {
      const tile = parseTilePath(path);
      if (tile.level !== 'entries' || tile.index !== index) return bytes;
      return encodeBundle(decodeBundle(bytes).filter((_, at) => index * TILE_WIDTH + at !== number));
    });
    expect(await audit(source, SIZE, ROOT)).toEqual({ first: number, last: number });
  });

  test.each([
    ['ends early', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['has too many entries', (bytes: Uint8Array) => Buffer.concat([bytes, encodeBundle([encodeEntry(0)])])],
  ])('the log cannot be read if a bundle %s', async (_, change) => {
    const source = createSource(log, (path, bytes) => (path === 'tile/entries/002' ? change(bytes) : bytes));
    await expect(audit(source, SIZE, ROOT)).rejects.toMatchObject({
      name: 'DownloadError',
      isAnswered: true,
      message: expect.stringContaining('https://log.example/a/tile/entries/002 is no bundle'),
    });
  });
});
