import { formatEntryExtra, formatProof } from '@broker-transparency/log';
import type { Db } from '../../platform/mongo.ts';
import { type PublicTexts, readCommitments, selectCommittedTexts } from '../record/latest.ts';
import { findEntriesByKey, readTexts } from '../record/read.ts';
import { proveEntry } from './files.ts';

/** The last entry of a key, with its public texts and the proof that it is in the log. */
export interface OpenedEntry {
  readonly key: string;
  readonly number: number;
  readonly texts: PublicTexts;
  /** A proof file. */
  readonly proof: string;
}

/** Returns the proof file of an entry; undefined while the published checkpoint does not cover it. */
const readProofFile = async (db: Db, number: number): Promise<string | undefined> => {
  const proven = await proveEntry(db, number);
  if (!proven) return undefined;
  const { entry, hashes, checkpoint } = proven;
  return formatProof({ extra: formatEntryExtra({ entry, day: undefined }), index: number, hashes, checkpoint });
};

/** Returns the proof file of the last entry of a key; undefined while the published checkpoint does not cover it. */
export const proveKey = async (db: Db, key: string): Promise<string | undefined> => {
  const last = (await findEntriesByKey(db, { keys: [key] })).at(-1);
  return last && readProofFile(db, last.number);
};

/**
 * Returns the last entry of a key with its texts and proof; undefined if it has no public text, or the published
 * checkpoint does not cover it yet.
 */
export const openEntry = async (db: Db, key: string): Promise<OpenedEntry | undefined> => {
  const last = (await findEntriesByKey(db, { keys: [key] })).at(-1);
  const kept = (await readTexts(db, [key])).get(key);
  if (!last || !kept) return undefined;
  const texts = selectCommittedTexts(kept.texts, readCommitments(last));
  const proof = Object.keys(texts).length === 0 ? undefined : await readProofFile(db, last.number);
  return proof === undefined ? undefined : { key, number: last.number, texts, proof };
};
