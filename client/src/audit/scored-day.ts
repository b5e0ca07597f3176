import { canonicalJson, computeRoot, frontierNodes, leafInput, nodeInput, toBase64 } from '@broker-transparency/log';
import { sha256 } from './hash.ts';

/** A broker among the scores of a day. */
export interface DayRow {
  readonly slug: string;
  readonly value: number | null;
  readonly color: string;
  /** Index in the last tree; -1 if it is in none yet. */
  at: number;
}

/** Returns a row, reusing the one before if it is equal. */
export const toDayRow = (slug: string, value: number | null, color: string, before?: DayRow): DayRow => {
  if (before && before.value === value && before.color === color && before.slug === slug) return before;
  return { slug, value, color, at: -1 };
};

const SIZE = 32;

/** The hashes of one level of a tree, one after the other: an object for each would take several times the memory. */
interface Level {
  readonly bytes: Uint8Array;
  readonly count: number;
}

const NO_LEVEL: Level = { bytes: new Uint8Array(0), count: 0 };

const hashAt = ({ bytes }: Level, at: number): Uint8Array => bytes.subarray(at * SIZE, (at + 1) * SIZE);

/** Returns a buffer for `count` hashes: the given one if it is large enough. */
const allocateLevel = (count: number, { bytes }: Level): Level => ({
  bytes: bytes.length < count * SIZE ? new Uint8Array(Math.ceil(count * 1.25) * SIZE) : bytes,
  count,
});

const hashRow = ({ slug, value, color }: DayRow): Uint8Array =>
  sha256(leafInput(new TextEncoder().encode(canonicalJson([slug, value, color]))));

/** A tree and the one before it, whose buffers the next tree uses. */
interface TreeBuffers {
  levels: Level[];
  spare: Level[];
}

/** Hashes the leaves. Returns for each true if it is unchanged at its place. */
const hashLeaves = (trees: TreeBuffers, rows: readonly DayRow[]): Uint8Array => {
  const [old, now] = [trees.levels[0] ?? NO_LEVEL, allocateLevel(rows.length, trees.spare[0] ?? NO_LEVEL)];
  trees.spare[0] = now;
  return Uint8Array.from(rows, (row, at) => {
    const from = row.at;
    now.bytes.set(from < 0 || from >= old.count ? hashRow(row) : hashAt(old, from), at * SIZE);
    row.at = at;
    return from === at ? 1 : 0;
  });
};

/** Hashes the level above another one. Returns for each node true if it is unchanged at its place. */
const hashLevel = (trees: TreeBuffers, level: number, sameBelow: Uint8Array): Uint8Array => {
  const [old, below] = [trees.levels[level] ?? NO_LEVEL, trees.spare[level - 1] as Level];
  const now = allocateLevel(Math.floor(below.count / 2), trees.spare[level] ?? NO_LEVEL);
  trees.spare[level] = now;
  const same = new Uint8Array(now.count);
  for (let at = 0; at < now.count; at++) {
    const isSame = at < old.count && sameBelow[at * 2] === 1 && sameBelow[at * 2 + 1] === 1;
    const node = () => sha256(nodeInput(hashAt(below, at * 2), hashAt(below, at * 2 + 1)));
    now.bytes.set(isSame ? hashAt(old, at) : node(), at * SIZE);
    same[at] = isSame ? 1 : 0;
  }
  return same;
};

/**
 * Returns a function that hashes the scores of one day after the other: what is as on the day before is not hashed
 * again.
 */
export const createDayRoots = () => {
  const trees: TreeBuffers = { levels: [], spare: [] };
  /** Returns the root of the tree over the scores of a day, in base64. */
  return (rows: readonly DayRow[]): string => {
    let same = hashLeaves(trees, rows);
    let height = 1;
    for (let { length } = rows; length > 1; length = Math.floor(length / 2)) same = hashLevel(trees, height++, same);
    const { levels, spare } = trees;
    trees.levels = spare.slice(0, height);
    trees.spare = levels;
    const hashes = frontierNodes(rows.length).map(({ level, index }) => hashAt(trees.levels[level] as Level, index));
    return toBase64(computeRoot({ size: rows.length, hashes }, sha256));
  };
};
