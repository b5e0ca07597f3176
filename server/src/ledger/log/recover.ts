import {
  append,
  type Checkpoint,
  checkSignatures,
  computeRoot,
  EMPTY_TREE,
  leafInput,
  parseSignedCheckpoint,
  parseVerifierKey,
  TILE_WIDTH,
} from '@broker-transparency/log';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { parseEntry } from '../record/entry.rule.ts';
import { type LostEntry, restoreEntries } from '../record/give-back.ts';
import { hashText, nextNumber, readBytes } from '../record/read.ts';
import { type SigningSettings, signTree } from './checkpoint.ts';
import type { LogCopy } from './copy.ts';
import { CURE, findBreak, findDoubt } from './doubt.ts';
import { type FoundedGrowth, growFounded, requireNoHold } from './hold.ts';
import { putAside, readOwnCheckpoint, replaceLog } from './kept-log.ts';
import { verifyEd25519 } from './keys.ts';
import { readWhileWithheld } from './refusals.ts';
import * as store from './store.ts';
import { growTree } from './tree.ts';

/** Yields the entries of a copy of a log, bundle by bundle. */
async function* readBundles(
  { where, readBundle }: LogCopy,
  size: number,
  from = 0,
): AsyncIterable<[first: number, entries: readonly Uint8Array[]]> {
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const entries = await readBundle(index, size).catch((error: unknown) => {
      throw error instanceof SyntaxError ? createDamagedError(where, error) : error;
    });
    if (!entries)
      throw new DomainError('not_found', `${where} does not have all of the ${size} entries that were signed.`);
    yield [index * TILE_WIDTH, entries];
  }
}

const createDamagedError = (where: string, cause?: unknown): DomainError =>
  new DomainError('invalid_input', `${where} is damaged: its entries are not those that were signed.`, { cause });

/** Returns a digest of a bundle. */
const hashBundle = (entries: readonly Uint8Array[]): string => hashText(Buffer.concat(entries).toString('latin1'));

/**
 * Returns a digest of each bundle.
 * @throws DomainError if the stored entries are not the first signed ones, or the copy is damaged
 */
const requireContinuation = async (
  db: Db,
  copy: LogCopy,
  { size, root }: Checkpoint,
  stored: number,
): Promise<ReadonlyMap<number, string>> => {
  let tree = EMPTY_TREE;
  const digests = new Map<number, string>();
  for await (const [first, entries] of readBundles(copy, size)) {
    const due = entries.slice(0, Math.max(stored - first, 0));
    const own = due.length === 0 ? [] : await readBytes(db, first, due.length);
    const other = due.findIndex((entry, at) => !own[at] || !Buffer.from(entry).equals(own[at].bytes));
    if (other >= 0)
      throw new DomainError(
        'state_conflict',
        `Entry ${first + other} of the database is not the one that was signed, so the log cannot go on from it.`,
      );
    for (const entry of entries) ({ tree } = append(tree, sha256(leafInput(entry)), sha256));
    digests.set(first, hashBundle(entries));
  }
  if (!Buffer.from(root).equals(computeRoot(tree, sha256))) throw createDamagedError(copy.where);
  return digests;
};

/** Stores the entries of a copy from a number on. */
const storeAgain = async (db: Db, copy: LogCopy, signed: Checkpoint, stored: number): Promise<void> => {
  const digests = await requireContinuation(db, copy, signed, stored);
  let waiting: LostEntry[] = [];
  for await (const [first, entries] of readBundles(copy, signed.size, stored)) {
    if (digests.get(first) !== hashBundle(entries)) throw createDamagedError(copy.where); // the copy was read twice
    const numbered = entries.map((bytes, at) => ({ number: first + at, text: Buffer.from(bytes).toString() }));
    const lost = numbered.filter(({ number }) => number >= stored);
    waiting.push(
      ...(await Promise.all(lost.map(async ({ number, text }) => ({ text, value: await copy.readValue(number) })))),
    );
    const end = waiting.findLastIndex(({ text }) => parseEntry(text).isLast) + 1;
    await restoreEntries(db, waiting.slice(0, end));
    waiting = waiting.slice(end);
  }
  if (waiting.length > 0) throw createDamagedError(copy.where); // a signed log ends with a complete change
};

/** @throws DomainError if the stored entries do not begin with the signed ones */
const requireSigned = async (db: Db, { where }: LogCopy, signed: Checkpoint): Promise<void> => {
  const broken = await findBreak(db, signed, where);
  if (broken !== undefined) throw new DomainError('state_conflict', `The log cannot go on: ${broken}.`);
};

/** @throws DomainError invalid_input if no key of the log has signed the checkpoint, or a signature is wrong */
const verify = async (db: Db, { where }: LogCopy, text: string, origin: string): Promise<Checkpoint> => {
  try {
    const { checkpoint, note } = parseSignedCheckpoint(text);
    const keys = (await store.readKeys(db, origin)).map(parseVerifierKey);
    const checked = await checkSignatures(note, keys, verifyEd25519);
    if (checkpoint.origin === origin && checked.length > 0 && checked.every(({ isRight }) => isRight))
      return checkpoint;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DomainError('invalid_input', `${where} has no checkpoint that a key of the log ${origin} has signed.`);
};

/** Result of a recovery from a copy of the log. */
export interface RecoveredLog {
  /** Number of entries stored before. */
  readonly stored: number;
  readonly checkpoint: Checkpoint;
  /** The signed checkpoint. */
  readonly text: string;
}

/**
 * Stores the signed entries again that a restore took back, from a copy of the log. Can be repeated after an
 * interruption. Returns undefined if the copy has no checkpoint.
 * @throws DomainError if the entries do not continue the stored ones, or the copy is incomplete
 */
export const recoverEntries = async (
  db: Db,
  copy: LogCopy,
  origin: string,
  clock: Clock,
): Promise<RecoveredLog | undefined> => {
  const text = await (copy.isServed ? readWhileWithheld(db, copy.readText) : copy.readText());
  if (text === undefined) return undefined;
  const checkpoint = await verify(db, copy, text, origin);
  const stored = await nextNumber(db);
  if (stored < checkpoint.size) await storeAgain(db, copy, checkpoint, stored);
  await growTree(db, clock, { below: checkpoint.size });
  await requireSigned(db, copy, checkpoint);
  return { stored, checkpoint, text };
};

/**
 * Makes a copy the newest state of the log that this machine knows, on the word of an operator.
 * @throws DomainError state_conflict if more is known to be signed
 */
export const trustCopy = async (
  db: Db,
  keptIn: string,
  { where, isOld }: LogCopy,
  { text, checkpoint: { size } }: RecoveredLog,
  now: Date,
): Promise<void> => {
  const refuse = (why: string): never => {
    throw new DomainError('state_conflict', `${where} cannot show what was signed last: ${why}.`);
  };
  if (await isOld()) refuse('it comes out of a backup, and more may have been signed since');
  const published = await store.readCheckpoint(db);
  if (published && published.size > size) refuse(`it ends at ${size}, and ${published.size} entries were signed`);
  const own = await readOwnCheckpoint(keptIn);
  if (!own || own.size < size) await replaceLog(db, keptIn, text, now);
};

/** @throws DomainError state_conflict with instructions if nothing may be signed */
export const requireKnown = async (db: Db, keptIn: string): Promise<void> => {
  const doubt = await findDoubt(db, keptIn, false);
  if (doubt) throw new DomainError('state_conflict', `Nothing is signed: ${doubt.why}. ${CURE}`);
};

/**
 * Signs the log as the database has it, although signed entries may be lost: the operator accepts the loss. The former
 * content of the folder is moved aside.
 * @param size size of the log that the operator expects
 * @throws DomainError invalid_input if the log has another size; state_conflict if an entry contradicts its facts
 */
export const acceptLoss = async (
  db: Db,
  signing: SigningSettings,
  size: number,
  parts: FoundedGrowth,
): Promise<void> => {
  const { clock } = parts;
  await growFounded(db, parts);
  await requireNoHold(db);
  const tree = await store.readTree(db, null);
  if (tree?.size !== size)
    throw new DomainError(
      'invalid_input',
      `This database has ${tree?.size ?? 0} entries with numbers, not ${size}: nothing was accepted. Look at log show again.`,
    );
  await putAside(signing.keptIn, clock());
  await signTree(db, signing, tree, clock);
};
