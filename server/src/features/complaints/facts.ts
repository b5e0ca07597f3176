import type { Tx } from '../../platform/mongo.ts';
import { findComplainedOf, findCounted } from './store.ts';
import { countComplaints } from './summary.rule.ts';

/** The counts of each of these brokers' complaints, at a time of its own. */
export const complaintFacts = async (brokers: readonly string[], at: (broker: string) => Date, tx: Tx) => {
  const byBroker = Map.groupBy(await findCounted(brokers, tx), (complaint) => complaint.broker);
  return (broker: string) => countComplaints(byBroker.get(broker) ?? [], at(broker));
};

/** Those of these brokers that a complaint is about. */
export const brokersComplainedOf = findComplainedOf;
