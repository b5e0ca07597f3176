import type { TxContext } from '../../ledger/context.ts';
import { markDirty } from '../../ledger/dirty-marks.ts';
import { type NamedSubject, toPublishedSlug } from '../../ledger/statements/identity.rule.ts';

/** Marks the documents of these brokers as dirty, so that `published/refresh.ts` builds them again within a second. */
export const markBrokersDirty = ({ tx }: TxContext, slugs: readonly string[]): Promise<void> =>
  markDirty('broker', slugs, tx);

/** Marks the documents of these brokers as dirty, under all their slugs. */
export const markSubjectsDirty = (c: TxContext, subjects: readonly NamedSubject[]): Promise<void> =>
  markBrokersDirty(c, [...new Set(subjects.flatMap((subject) => [subject.name, toPublishedSlug(subject)]))]);
