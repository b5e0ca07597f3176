import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import * as store from './store.ts';

/** Refuses to delete imported reviews that have reports, flags or decisions. @throws DomainError state_conflict */
export const refuseReviewsInUse = async (ids: readonly string[], tx: Tx): Promise<void> => {
  const { reports, appeals, decisions, flags } = await store.findCases(
    { accountIds: [], mailHashes: [], reviewIds: ids },
    tx,
  );
  const [found] = [...reports, ...appeals, ...decisions, ...flags];
  if (found)
    throw new DomainError(
      'state_conflict',
      `review ${found.reviewId} has reports, flags or decisions by now and stays.`,
    );
};
