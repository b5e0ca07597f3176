import { formatCheckpoint, rootOf, signNote } from '@broker-transparency/contract/log';
import type { Clock } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import { keepLog } from './kept-log.ts';
import type { LogKey } from './keys.ts';
import * as store from './store.ts';
import { frontierOf, sha256 } from './tree.ts';

/** Least time in milliseconds between two checkpoints: each one costs its readers a file. */
const PAUSE_MS = 10_000;

/** @throws DomainError invalid_setting if the log was begun under another origin, or the keys are of several logs */
export const requireOrigin = async (keys: readonly LogKey[]): Promise<void> => {
  const published = await store.readCheckpoint();
  const origin = published?.origin ?? keys[0]?.name;
  const key = keys.find(({ name }) => name !== origin);
  if (!key) return;
  const why = published
    ? `but the log of this database is ${origin}: readers know it by this name`
    : `and for the log ${origin}: all its keys must be of one log`;
  throw new DomainError('invalid_setting', `LOG_KEY is for the log ${key.name}, ${why}`);
};

/** How a process signs the log. */
export interface Signing {
  /** All of them sign; without any, nothing is signed. */
  readonly keys: readonly LogKey[];
  /** The folder that keeps the log outside the database. */
  readonly keptIn: string;
}

/** Returns whether to sign now. A clock that went back must not stop it. */
const isDue = async ({ isUrgent }: store.StoredTree, now: Date): Promise<boolean> => {
  if (isUrgent) return true;
  const { signedAt } = (await store.readCheckpoint()) ?? {};
  return signedAt === undefined || Math.abs(now.getTime() - signedAt.getTime()) >= PAUSE_MS;
};

/**
 * Signs the tree and publishes the checkpoint, if it is due. What is signed is durable on a majority: a checkpoint that
 * is published can never be taken back.
 */
export const signIfDue = async ({ keys: [key, ...others], keptIn }: Signing, clock: Clock): Promise<void> => {
  const tree = await store.readTree(null);
  if (!key || !tree || tree.waitingSince === null || !(await isDue(tree, clock()))) return;
  const { name: origin } = key;
  const root = rootOf(frontierOf(tree), sha256);
  const text = signNote(formatCheckpoint({ origin, size: tree.size, root, extensions: [] }), [key, ...others]);
  await keepLog(keptIn, text);
  await store.publishCheckpoint({ size: tree.size, origin, text, signedAt: clock() });
  await store.noteCovered(tree.size);
};
