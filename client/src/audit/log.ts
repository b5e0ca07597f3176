import { createHash } from 'node:crypto';
import {
  append,
  decodeBundle,
  EMPTY_TREE,
  type Frontier,
  leafInput,
  rootOf,
  TILE_WIDTH,
  tilePath,
  toBase64,
} from '@broker-transparency/contract/log';
import { type FileSource, readFile } from './files.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Bundles that are read at the same time. */
const AT_ONCE = 4;

/** Something that should not be. */
export interface Finding {
  /** The first entry that it is about; undefined if it is about no single one. */
  readonly number?: number;
  readonly message: string;
}

interface Range {
  readonly index: number;
  readonly width: number;
}

const rangesOf = (size: number): Range[] =>
  Array.from({ length: Math.ceil(size / TILE_WIDTH) }, (_, index) => ({
    index,
    width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH),
  }));

/** Yields what is read for each range, in order, and reads a few ahead. */
async function* inOrder<T>(ranges: readonly Range[], read: (range: Range) => Promise<T>): AsyncIterable<[Range, T]> {
  const ahead: Promise<T>[] = [];
  const start = (at: number): void => {
    const range = ranges[at];
    if (!range) return;
    const reading = read(range);
    reading.catch(() => {}); // it is awaited later
    ahead.push(reading);
  };
  for (let at = 0; at < AT_ONCE; at++) start(at);
  for (const [at, range] of ranges.entries()) {
    const found = await (ahead.shift() as Promise<T>);
    start(at + AT_ONCE);
    yield [range, found];
  }
}

/** Yields every entry of the log up to a size, as bytes, by number. @throws SourceFailure */
export async function* readEntries(source: FileSource, size: number): AsyncIterable<readonly Uint8Array[]> {
  const path = ({ index, width }: Range): string => tilePath({ level: 'entries', index, width });
  for await (const [range, bytes] of inOrder(rangesOf(size), (one) => readFile(source, path(one)))) {
    const entries = decodeBundle(bytes);
    if (entries.length !== range.width)
      throw new SyntaxError(`${path(range)} has ${entries.length} entries, not ${range.width}`);
    yield entries;
  }
}

/** A tree that grows by entries, and remembers its root at sizes of interest. */
export const createTree = (sizes: readonly number[]) => {
  let tree: Frontier = EMPTY_TREE;
  const roots = new Map<number, string>();
  const leaves: Uint8Array[] = [];
  const note = (): void => {
    if (sizes.includes(tree.size)) roots.set(tree.size, toBase64(rootOf(tree, sha256)));
  };
  note();
  return {
    add: (entry: Uint8Array): void => {
      const leaf = sha256(leafInput(entry));
      leaves.push(leaf);
      ({ tree } = append(tree, leaf, sha256));
      note();
    },
    /** Root of the tree when it had so many entries, in base64. */
    rootAt: (size: number): string | undefined => roots.get(size),
    leafAt: (number: number): Uint8Array | undefined => leaves[number],
  };
};

/** Returns the first entry whose hash is not the one in the tiles of the log; undefined if all are. @throws SourceFailure */
export const firstOther = async (
  source: FileSource,
  size: number,
  leafAt: (number: number) => Uint8Array | undefined,
): Promise<number | undefined> => {
  const read = ({ index, width }: Range) => readFile(source, tilePath({ level: 0, index, width }));
  for await (const [{ index, width }, bytes] of inOrder(rangesOf(size), read))
    for (let at = 0; at < width; at++) {
      const number = index * TILE_WIDTH + at;
      const hash = bytes.subarray(at * 32, (at + 1) * 32);
      if (toBase64(hash) !== toBase64(leafAt(number) ?? new Uint8Array())) return number;
    }
  return undefined;
};
