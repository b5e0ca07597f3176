import { computeRoot, formatCheckpoint, signNote } from '@broker-transparency/log';
import type { Clock } from '../../platform/clock.ts';
import { requireRightClock } from '../../platform/clock-drift.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { keepLog } from './kept-log.ts';
import type { LogKey } from './keys.ts';
import type { LogProgress } from './standing.ts';
import * as store from './store.ts';
import { toFrontier } from './tree.ts';
import { formatReaderPolicy, type Witnesses } from './witnesses/policy.ts';

/** Least time in milliseconds between two checkpoints: readers have to fetch each one. */
const PAUSE_MS = 10_000;

/** @throws DomainError invalid_setting if the log has another origin, or the keys belong to several logs */
export const requireOrigin = async (db: Db, keys: readonly LogKey[]): Promise<void> => {
  const published = await store.readCheckpoint(db);
  const origin = published?.origin ?? keys[0]?.name;
  const key = keys.find(({ name }) => name !== origin);
  if (!key) return;
  const why = published
    ? `but the log of this database is ${origin}: readers know it by this name`
    : `and for the log ${origin}: all its keys must be of one log`;
  throw new DomainError('invalid_setting', `LOG_KEY is for the log ${key.name}, ${why}`);
};

/** Publishes the signing keys of this process. They stay published when others replace them. */
export const publishKeys = async (db: Db, keys: readonly LogKey[], clock: Clock): Promise<void> => {
  const [key] = keys;
  if (!key) return;
  const verifierKeys = keys.map(({ verifierKey }) => verifierKey);
  await store.saveKeys(db, verifierKeys, key.name, clock());
};

/** Publishes the keys and witnesses that readers of the log may trust, as a policy. */
export const publishPolicy = (db: Db, keys: readonly LogKey[], witnesses: Witnesses | undefined): Promise<void> =>
  store.savePolicy(db, (keys[0] as LogKey).name, formatReaderPolicy(keys, witnesses));

/** Settings of a process that signs the log. */
export interface SigningSettings {
  /** Signing keys, at least one. All of them sign. */
  readonly keys: readonly LogKey[];
  /** The folder that keeps the log outside the database. */
  readonly keptIn: string;
}

/** Returns whether to sign now. A clock that was set back must not stop signing. */
const isDue = (tree: store.StoredTree, signedAt: Date | undefined, now: Date): boolean =>
  tree.isUrgent || signedAt === undefined || Math.abs(now.getTime() - signedAt.getTime()) >= PAUSE_MS;

/**
 * Signs a tree and publishes its checkpoint. The checkpoint is first kept outside the database, so that no crash can
 * lose it.
 */
export const signTree = async (
  db: Db,
  { keys, keptIn }: SigningSettings,
  tree: store.StoredTree,
  clock: Clock,
): Promise<store.StoredCheckpoint | undefined> => {
  await requireRightClock(db);
  const origin = (keys[0] as LogKey).name;
  const root = computeRoot(toFrontier(tree), sha256);
  const text = signNote(formatCheckpoint({ origin, size: tree.size, root, extensions: [] }), keys);
  await keepLog(db, keptIn, text);
  await store.publishCheckpoint(db, { size: tree.size, origin, text, signedAt: clock() });
  await store.saveCovered(db, tree.size);
  return store.readCheckpoint(db);
};

/**
 * Signs the tree and publishes the checkpoint, if it is due. The signed tree is durable on a majority, because a
 * published checkpoint can never be taken back. The caller knows that the tree continues the last signed one. Returns
 * the published checkpoint.
 */
export const signIfDue = async (
  db: Db,
  signing: SigningSettings,
  { tree, published }: LogProgress,
  clock: Clock,
): Promise<store.StoredCheckpoint | undefined> => {
  if (!tree || tree.waitingSince === null || !isDue(tree, published?.signedAt, clock())) return published;
  return signTree(db, signing, tree, clock);
};
