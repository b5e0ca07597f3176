import { findBrokersWithComplaints } from '../../features/complaints/facts.ts';
import { findReviewedBrokers } from '../../features/reviews/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';

/**
 * Refuses to remove brokers that people wrote about, because reviews and complaints would lose their subject.
 * @throws DomainError state_conflict
 */
export const refuseBrokersInUse = async (slugs: readonly string[], tx: Tx): Promise<void> => {
  const [reviewed] = await findReviewedBrokers(slugs, tx);
  if (reviewed !== undefined)
    throw new DomainError('state_conflict', `broker "${reviewed}" has reviews by now and cannot be taken away.`);
  const [complained] = await findBrokersWithComplaints(slugs, tx);
  if (complained !== undefined)
    throw new DomainError('state_conflict', `broker "${complained}" has complaints by now and cannot be taken away.`);
};
