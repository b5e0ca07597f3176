import type { Tx } from '../../platform/mongo.ts';
import { findComplainedOf, findCounted } from './store.ts';
import { countComplaints } from './summary.rule.ts';

/** Returns a function that counts a broker's complaints at the time that `at` gives for it. */
export const complaintFacts = async (brokers: readonly string[], at: (broker: string) => Date, tx: Tx) => {
  const byBroker = Map.groupBy(await findCounted(brokers, tx), (complaint) => complaint.broker);
  return (broker: string) => countComplaints(byBroker.get(broker) ?? [], at(broker));
};

/** Returns those of these brokers that a complaint is about. */
export const brokersComplainedOf = findComplainedOf;
