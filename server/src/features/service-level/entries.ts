import { entryKey } from '@broker-transparency/contract/record';
import { formatEntryExtra, formatProof } from '@broker-transparency/log';
import { proveEntry } from '../../ledger/log/files.ts';
import { findEntries } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';

/** An entry about a day or a month, with its proof if a signed checkpoint covers it. */
interface ProvenEntry {
  readonly number: number;
  readonly time: string;
  readonly value: Record<string, unknown>;
  readonly proof?: string;
}

/** Returns the record's entry of a day or a month; undefined if there is none yet. */
export const readEntry = async (db: Db, dayOrMonth: string): Promise<ProvenEntry | undefined> => {
  const found = await findEntries(db, { subjects: [entryKey('service-level', dayOrMonth)] });
  const last = found.at(-1);
  if (!last) return undefined;
  const { number, time, value } = last;
  const proven = await proveEntry(db, number);
  const entry = { number, time, value: JSON.parse(value) as Record<string, unknown> };
  if (!proven) return entry;
  const { entry: bytes, hashes, checkpoint } = proven;
  return {
    ...entry,
    proof: formatProof({
      extra: formatEntryExtra({ entry: bytes, day: undefined }),
      index: number,
      hashes,
      checkpoint,
    }),
  };
};
