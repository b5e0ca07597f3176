import { parseSignedCheckpoint, TILE_WIDTH, tilePath, tileWidth, toBase64 } from '@broker-transparency/log';
import type { SnapshotManifest } from '../generated/enterprise.ts';
import type { CallOptions } from '../options.ts';
import type { EnterpriseFiles } from './calls.ts';
import { ProofError } from './error.ts';
import { growTree, hasRoot, NO_TREE, type ReplicaTree } from './tree.ts';

const HASH = 32;

/** The hashes of all entries below a number, as the public log has them. */
export interface LogLeaves {
  /** @throws ProofError if the entry with this number has another hash */
  readonly require: (number: number, hash: Uint8Array) => void;
}

const requireFull = (bytes: Uint8Array | undefined, path: string, width: number): Uint8Array => {
  if (bytes && bytes.length >= width * HASH) return bytes;
  throw new ProofError('not_in_log', `the log has no ${path}: it does not cover the snapshot yet`);
};

/**
 * Reads the hashes of all entries of a snapshot's tree from the public log, and checks that they lead to its root: 32
 * bytes for each entry of the record.
 * @throws ProofError
 */
export const readLeaves = async (
  files: EnterpriseFiles,
  { tree: { size, root }, signed }: SnapshotManifest,
  options: CallOptions,
): Promise<LogLeaves> => {
  if (signed === null) throw new ProofError('not_in_log', 'no checkpoint covers the snapshot yet: it cannot be proven');
  const { origin } = parseSignedCheckpoint(signed.checkpoint).checkpoint;
  const log = origin.slice(origin.lastIndexOf('/') + 1);
  const all = new Uint8Array(size * HASH);
  let tree: ReplicaTree = NO_TREE;
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const width = tileWidth(0, index, size);
    const path = tilePath({ level: 0, index, width });
    // a log need not keep a narrow tile once there is a full one
    const full = tilePath({ level: 0, index, width: TILE_WIDTH });
    const found = (await files.readLogFile(log, path, options)) ?? (await files.readLogFile(log, full, options));
    const tile = requireFull(found, path, width).subarray(0, width * HASH);
    all.set(tile, index * TILE_WIDTH * HASH);
    tree = await growTree(
      tree,
      Array.from({ length: width }, (_, at) => tile.subarray(at * HASH, (at + 1) * HASH)),
    );
  }
  if (!(await hasRoot(tree, root)))
    throw new ProofError('not_in_log', `the hashes of the log do not lead to the root of the snapshot, ${root}`);
  return {
    require: (number, hash) => {
      const known = all.subarray(number * HASH, (number + 1) * HASH);
      if (toBase64(known) === toBase64(hash)) return;
      throw new ProofError('not_in_log', `entry ${number} of the snapshot is not the one that the log has`);
    },
  };
};
