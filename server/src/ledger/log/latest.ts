import { consistencyPlan, inclusionPlan, makeProof, toBase64 } from '@broker-transparency/log';
import type { Db } from '../../platform/mongo.ts';
import { sha256 } from '../../platform/sha256.rule.ts';
import { entryText } from '../record/entry.rule.ts';
import { type PublicTexts, readCommitments, selectCommittedTexts } from '../record/latest.ts';
import { findLatest, hashText, type NumberedEntry, nextNumber, readTexts } from '../record/read.ts';
import { findCheckpointOver } from './covering.ts';
import { readNodes } from './hashes.ts';

/** The part of the record and of its log that a caller asks for. */
interface LatestQuery {
  /** Only entries up to this number count. */
  readonly knownAt?: number | undefined;
  /** The size of an earlier checkpoint, which the new one is shown to continue. */
  readonly since: number;
}

/**
 * Returns the newest entry of each of these keys, with what opens its texts and the proof that it is in the log of one
 * checkpoint. An entry that this checkpoint does not cover has no proof.
 */
export const proveLatest = async (db: Db, keys: readonly string[], { knownAt, since }: LatestQuery) => {
  const end = await nextNumber(db);
  const entries = await findLatest(db, [...new Set(keys)], knownAt === undefined ? end : Math.min(knownAt + 1, end));
  const needed = Math.max(since, ...entries.map(({ number }) => number + 1));
  const checkpoint = (await findCheckpointOver(db, needed)) ?? (await findNearestCheckpoint(db, since));
  const size = checkpoint?.size ?? 0;
  const growth = checkpoint && since <= size ? consistencyPlan(since, size) : undefined;
  const paths = entries.map(({ number }) => (number < size ? inclusionPlan(number, size) : undefined));
  const findHash = await readNodes(db, [growth ?? [], ...paths.map((path) => path ?? [])].flat(), size);
  const prove = (plan: ReturnType<typeof inclusionPlan> | undefined): string[] | null =>
    plan === undefined ? null : makeProof(plan, findHash, sha256).map(toBase64);
  const kept = await readTexts(db, keys);
  return {
    checkpoint: checkpoint?.text ?? null,
    consistency: prove(growth),
    data: entries.map((entry, at) => {
      const { key, number } = entry;
      const salts = selectSalts(entry, kept.get(key)?.texts ?? {});
      return {
        key,
        number,
        entry: entryText(entry, entry, hashText),
        hashes: prove(paths[at]),
        ...(Object.keys(salts).length > 0 && { salts }),
      };
    }),
  };
};

/** Returns the random bytes of those public texts to which an entry has commitments, by field. */
const selectSalts = (entry: NumberedEntry, texts: PublicTexts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(selectCommittedTexts(texts, readCommitments(entry))).map(([field, { salt }]) => [field, salt]),
  );

/** Returns the newest checkpoint that covers so many entries, or the newest one of all. */
const findNearestCheckpoint = async (db: Db, size: number) =>
  (await findCheckpointOver(db, size)) ?? findCheckpointOver(db, 0);
