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

/**
 * Returns the last entry of a key with its texts and proof; undefined if it has no public text, or the published
 * checkpoint does not cover it yet.
 */
export const openEntry = async (db: Db, key: string): Promise<OpenedEntry | undefined> => {
  const last = (await findEntriesByKey(db, { keys: [key] })).at(-1);
  const kept = (await readTexts(db, [key])).get(key);
  if (!last || !kept) return undefined;
  const texts = selectCommittedTexts(kept.texts, readCommitments(last));
  const proven = Object.keys(texts).length === 0 ? undefined : await proveEntry(db, last.number);
  if (!proven) return undefined;
  const { entry, hashes, checkpoint } = proven;
  const extra = formatEntryExtra({ entry, day: undefined });
  return { key, number: last.number, texts, proof: formatProof({ extra, index: last.number, hashes, checkpoint }) };
};
