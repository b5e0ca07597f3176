import type { EntryKind } from '@broker-transparency/contract/record';
import type { Db, Tx } from '../../platform/mongo.ts';
import type { EntryDraft } from './entry.rule.ts';

/** Facts whose last state the record must have. Their names are the part of an entry's key after its kind. */
export interface RecordSource {
  readonly kinds: readonly EntryKind[];
  /** Returns up to `limit` names after this one, in order. */
  readonly next: (db: Db, after: string, limit: number) => Promise<string[]>;
  /** Returns the entries that the record must have for these names. */
  readonly entries: (names: readonly string[], tx: Tx) => Promise<EntryDraft[]>;
}
