import type { TxContext } from '../../ledger/context.ts';
import { markDirty } from '../../ledger/dirty-marks.ts';
import { type Named, slugOf } from '../../ledger/statements/identity.rule.ts';

/** Marks the documents of these brokers as dirty, so that `published/refresh.ts` builds them again within a second. */
export const brokersChanged = ({ tx }: TxContext, slugs: readonly string[]): Promise<void> =>
  markDirty('broker', slugs, tx);

/** Marks the documents of these brokers, under whatever slug they are. */
export const subjectsChanged = (c: TxContext, subjects: readonly Named[]): Promise<void> =>
  brokersChanged(c, [...new Set(subjects.flatMap((subject) => [subject.name, slugOf(subject)]))]);
