import type { BrokerSummary } from '@broker-transparency/client';
import type { TextContext } from '../page.ts';

/**
 * Returns the number of licences that registers confirm, the number of other ones in them, and of merely claimed ones.
 */
export const licenseWords = (
  { texts: { licences } }: TextContext,
  { confirmed, held, claimed }: BrokerSummary['licenseCounts'],
): string[] => [
  confirmed === 0 ? licences.none : licences.confirmed({ count: confirmed }),
  ...(held > confirmed ? [licences.held({ count: held - confirmed })] : []),
  ...(claimed > 0 ? [licences.claimed({ count: claimed })] : []),
];
