import type { TxContext } from '../../platform/context.ts';
import { markDirty } from '../../platform/dirty-marks.ts';

/** Marks the documents of these brokers as dirty, so that `published/refresh.ts` builds them again within a second. */
export const brokersChanged = ({ tx }: TxContext, slugs: readonly string[]): Promise<void> =>
  markDirty('broker', slugs, tx);
