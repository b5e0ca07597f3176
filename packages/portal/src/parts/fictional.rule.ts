import type { BrokerSummary } from '@broker-transparency/client';

/** Returns whether a broker is an invented one: nobody can own an address below `.example` (RFC 2606). */
export const isFictional = ({ website }: Pick<BrokerSummary, 'website'>): boolean =>
  new URL(website).hostname.endsWith('.example');
