import { append, type Checkpoint, EMPTY_TREE, leafInput, rootOf, TILE_WIDTH } from '@broker-transparency/contract/log';
import type { Clock } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../mongo.ts';
import { giveBack } from '../record/give-back.ts';
import { nextNumber, readBytes } from '../record/read.ts';
import { sha256 } from '../sha256.rule.ts';
import { findBreak, readKeptBundle, readKeptCheckpoint, readKeptValue } from './kept-log.ts';
import { growTree } from './tree.ts';

/** Yields what a folder keeps of a log, a bundle at a time. */
async function* bundlesIn(
  folder: string,
  size: number,
  from = 0,
): AsyncIterable<[first: number, entries: readonly Uint8Array[]]> {
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const entries = await readKeptBundle(folder, index, size);
    if (!entries)
      throw new DomainError('not_found', `${folder} does not have all of the ${size} entries that were signed.`);
    yield [index * TILE_WIDTH, entries];
  }
}

/** @throws DomainError if the stored entries are not the first ones that were signed, or the kept ones are damaged */
const requireContinuation = async (
  db: Db,
  folder: string,
  { size, root }: Checkpoint,
  stored: number,
): Promise<void> => {
  let tree = EMPTY_TREE;
  for await (const [first, entries] of bundlesIn(folder, size)) {
    const own = first < stored ? await readBytes(db, first, entries.length) : [];
    const other = own.findIndex(({ bytes }, at) => !Buffer.from(entries[at] as Uint8Array).equals(bytes));
    if (other >= 0)
      throw new DomainError(
        'state_conflict',
        `Entry ${first + other} of the database is not the one that was signed, so the log cannot go on from it.`,
      );
    for (const entry of entries) ({ tree } = append(tree, sha256(leafInput(entry)), sha256));
  }
  if (!Buffer.from(root).equals(rootOf(tree, sha256)))
    throw new DomainError('invalid_input', `${folder} is damaged: its entries are not those that were signed.`);
};

/** Stores what a folder keeps from a number on. */
const storeAgain = async (db: Db, folder: string, kept: Checkpoint, stored: number): Promise<void> => {
  await requireContinuation(db, folder, kept, stored);
  for await (const [first, entries] of bundlesIn(folder, kept.size, stored)) {
    const numbered = entries.map((bytes, at) => ({ number: first + at, text: Buffer.from(bytes).toString() }));
    const lost = numbered.filter(({ number }) => number >= stored);
    await giveBack(
      db,
      await Promise.all(lost.map(async ({ number, text }) => ({ text, value: await readKeptValue(folder, number) }))),
    );
  }
};

/** @throws DomainError if the stored entries do not begin with those that were signed */
const requireSigned = async (db: Db, folder: string, clock: Clock): Promise<void> => {
  await growTree(db, clock);
  const broken = await findBreak(db, folder);
  if (broken !== undefined) throw new DomainError('state_conflict', `The log cannot go on: ${broken}.`);
};

/**
 * Stores entries again that were signed and that a restore took back, from the copy of the log in a folder. Can be
 * repeated if it was stopped. Returns how many entries were stored before; undefined if there is no copy.
 * @throws DomainError if they do not continue the stored ones, or the copy is not complete
 */
export const recoverEntries = async (db: Db, folder: string, clock: Clock): Promise<number | undefined> => {
  const kept = await readKeptCheckpoint(folder);
  if (!kept) return undefined;
  const stored = await nextNumber(db);
  if (stored < kept.size) await storeAgain(db, folder, kept, stored);
  else await requireSigned(db, folder, clock);
  return stored;
};
