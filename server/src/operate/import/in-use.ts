import { brokersComplainedOf } from '../../features/complaints/facts.ts';
import { brokersReviewed } from '../../features/reviews/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';

/**
 * A broker that people wrote about cannot go: what they wrote would be about nobody.
 * @throws DomainError state_conflict
 */
export const refuseBrokersInUse = async (slugs: readonly string[], tx: Tx): Promise<void> => {
  const [reviewed] = await brokersReviewed(slugs, tx);
  if (reviewed !== undefined)
    throw new DomainError('state_conflict', `broker "${reviewed}" has reviews by now and cannot be taken away.`);
  const [complained] = await brokersComplainedOf(slugs, tx);
  if (complained !== undefined)
    throw new DomainError('state_conflict', `broker "${complained}" has complaints by now and cannot be taken away.`);
};
