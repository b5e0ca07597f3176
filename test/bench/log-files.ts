/**
 * Writes the files of a log as the service serves them (c2sp.org/tlog-tiles), with no code of the product but paths.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildTilePath, computeRoot, hashLeaf, listTilePaths, WIDTH } from '../support/log-reader.ts';

/** Starts a log in a folder. */
export const createLogFiles = (folder: string) => {
  let bundle: Buffer[] = [];
  let leaves: Buffer[] = [];
  const tiles: Buffer[] = [];
  let [size, bytes] = [0, 0];
  const write = (path: string, parts: readonly Uint8Array[]): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), Buffer.concat(parts));
  };
  /** Writes the last bundle and tile. */
  const flush = (): void => {
    const [index, width] = [tiles.length, leaves.length];
    const parts = bundle.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]);
    write(buildTilePath('entries', index, width), parts);
    write(buildTilePath('0', index, width), leaves);
  };
  return {
    /** Adds an entry. Members of a value must stand in the order of their names. Returns its number. */
    add: (entry: { key: string; cause: string; time: string; validFrom?: string; value: unknown }): number => {
      const { key, cause, time, validFrom, value } = entry;
      const [kind] = key.split('/', 1);
      const text = JSON.stringify({ cause, key, kind, number: size, time, validFrom, value });
      const leaf = Buffer.from(text);
      bundle.push(leaf);
      leaves.push(hashLeaf(leaf));
      bytes += leaf.length;
      size += 1;
      if (leaves.length === WIDTH) {
        flush();
        tiles.push(computeRoot(leaves));
        [bundle, leaves] = [[], []];
      }
      return size - 1;
    },
    size: (): number => size,
    bytes: (): number => bytes,
    /** Writes what is left, and the levels above. Returns the root. */
    end: (): Buffer => {
      if (leaves.length > 0) flush();
      let [level, hashes] = [1, tiles];
      while (hashes.length > 0) {
        const paths = listTilePaths(String(level), hashes.length);
        for (const [at, path] of paths.entries()) write(path, hashes.slice(at * WIDTH, (at + 1) * WIDTH));
        const full = Math.floor(hashes.length / WIDTH);
        hashes = Array.from({ length: full }, (_, at) => computeRoot(hashes.slice(at * WIDTH, (at + 1) * WIDTH)));
        level += 1;
      }
      return computeRoot(leaves.length > 0 ? [...tiles, computeRoot(leaves)] : tiles); // 256 entries are a subtree
    },
  };
};
