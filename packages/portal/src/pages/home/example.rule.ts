import type { BrokerSummary } from '@broker-transparency/client';
import { groupWarnings } from '@broker-transparency/contract/score';

/** The facts of a broker that decide on the example. */
export type ExampleBroker = Pick<
  BrokerSummary,
  'slug' | 'status' | 'warnings' | 'score' | 'licenseCounts' | 'ratingSummary'
>;

/**
 * Returns whether a broker is well proven: in business, rated on strong evidence, with a licence that a register
 * confirms, no licence that is only claimed, and no warning about it.
 */
const isWellProven = ({ status, warnings, score, licenseCounts }: ExampleBroker): boolean => {
  const { confirmed, unchecked, clone } = groupWarnings(warnings);
  return (
    status === 'operating' &&
    score.value !== null &&
    score.confidence.level === 'high' &&
    licenseCounts.confirmed > 0 &&
    licenseCounts.claimed === 0 &&
    confirmed.length + unchecked.length + clone.length === 0
  );
};

/**
 * Chooses the broker that the first page shows as an example: the one with the most reviews among the well-proven ones.
 * The score does not decide among them. Undefined if no broker is well proven.
 */
export const chooseExample = <Broker extends ExampleBroker>(brokers: readonly Broker[]): Broker | undefined =>
  brokers
    .filter(isWellProven)
    .toSorted((a, b) => b.ratingSummary.count - a.ratingSummary.count || (a.slug < b.slug ? -1 : 1))[0];
