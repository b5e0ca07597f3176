import type { EntryKind } from '@broker-transparency/contract/record';
import { buildBrokerEntries, listNextProfiles } from '../../features/brokers/facts.ts';
import { buildDisputeEntries, nextDisputes } from '../../features/disputes/facts.ts';
import { buildStatementEntries, nextStatements } from '../../features/moderation/statement-entry.ts';
import { buildNewsEntries, nextNews } from '../../features/news/facts.ts';
import { buildRegulatorEntries, nextRegulators } from '../../features/regulators/facts.ts';
import { buildReviewEntries, listNextReviews } from '../../features/reviews/facts.ts';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { Db, Tx } from '../../platform/mongo.ts';

/** Facts whose last state the record must have. Their names are the part of an entry's key after its kind. */
export interface RecordSource {
  readonly kinds: readonly EntryKind[];
  /** Returns up to `limit` names after this one, in order. */
  readonly next: (db: Db, after: string, limit: number) => Promise<string[]>;
  /** Returns the entries that the record must have for these names. */
  readonly entries: (names: readonly string[], tx: Tx) => Promise<EntryDraft[]>;
}

/**
 * Every source of entries except jobs and commands that write complaints, checks, methodology, days, and the service
 * level.
 */
export const RECORD_SOURCES: readonly RecordSource[] = [
  { kinds: ['regulator'], next: nextRegulators, entries: buildRegulatorEntries },
  { kinds: ['broker', 'license', 'warning'], next: listNextProfiles, entries: buildBrokerEntries },
  { kinds: ['review'], next: listNextReviews, entries: buildReviewEntries },
  { kinds: ['news'], next: nextNews, entries: buildNewsEntries },
  { kinds: ['dispute'], next: nextDisputes, entries: buildDisputeEntries },
  { kinds: ['statement'], next: nextStatements, entries: buildStatementEntries },
];
