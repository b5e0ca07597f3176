import type { BrokerSummary } from '@broker-transparency/client';
import type { PageContext } from '../page.ts';

/** Says how many licences registers confirm, how many more they show, and how many are only claimed. */
export const licenseWords = (
  { texts: { licences }, format }: Pick<PageContext, 'texts' | 'format'>,
  { confirmed, held, claimed }: BrokerSummary['licenseCounts'],
): string[] => [
  confirmed === 0 ? licences.none : format.plural(confirmed, licences.confirmed),
  ...(held > confirmed ? [format.plural(held - confirmed, licences.held)] : []),
  ...(claimed > 0 ? [format.plural(claimed, licences.claimed)] : []),
];
