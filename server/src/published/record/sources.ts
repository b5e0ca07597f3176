import type { EntryKind } from '@broker-transparency/contract/record';
import { brokerEntriesOf, nextProfiles } from '../../features/brokers/facts.ts';
import { newsEntriesOf, nextNews } from '../../features/news/facts.ts';
import { nextRegulators, regulatorEntriesOf } from '../../features/regulators/facts.ts';
import { nextReviews, reviewEntriesOf } from '../../features/reviews/facts.ts';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { Db, Tx } from '../../platform/mongo.ts';

/** Facts whose last state the record must have. Their names are the part of an entry's key after its kind. */
export interface RecordSource {
  readonly kinds: readonly EntryKind[];
  /** Returns up to `limit` names after this one, in order. */
  readonly next: (db: Db, after: string, limit: number) => Promise<string[]>;
  /** Returns what the record must say of these names. */
  readonly entries: (names: readonly string[], tx: Tx) => Promise<EntryDraft[]>;
}

/** Every source of entries but those that jobs write: complaints, methodology and days. */
export const RECORD_SOURCES: readonly RecordSource[] = [
  { kinds: ['regulator'], next: nextRegulators, entries: regulatorEntriesOf },
  { kinds: ['broker', 'license', 'warning'], next: nextProfiles, entries: brokerEntriesOf },
  { kinds: ['review'], next: nextReviews, entries: reviewEntriesOf },
  { kinds: ['news'], next: nextNews, entries: newsEntriesOf },
];
