import type { BrokerSummary } from '@broker-transparency/client';
import type { TextContext } from '../page.ts';

/**
 * Returns the number of licences that registers confirm, the number of other ones in them, and of merely claimed ones.
 */
export const licenseWords = (
  { texts: { licences }, format }: TextContext,
  { confirmed, held, claimed }: BrokerSummary['licenseCounts'],
): string[] => [
  confirmed === 0 ? licences.none : format.plural(confirmed, licences.confirmed),
  ...(held > confirmed ? [format.plural(held - confirmed, licences.held)] : []),
  ...(claimed > 0 ? [format.plural(claimed, licences.claimed)] : []),
];
