import type { Tx } from '../../platform/mongo.ts';
import { findComplainedOf, findCounted } from './store.ts';
import { countComplaints } from './summary.rule.ts';

/** Returns a function that counts the complaints about some of these brokers, at a time. */
export const complaintFacts = async (brokers: readonly string[], tx: Tx) => {
  const byBroker = Map.groupBy(await findCounted(brokers, tx), (complaint) => complaint.broker);
  return (keys: readonly string[], at: Date) =>
    countComplaints(
      keys.flatMap((key) => byBroker.get(key) ?? []),
      at,
    );
};

/** Returns those of these brokers that a complaint is about. */
export const brokersComplainedOf = findComplainedOf;
