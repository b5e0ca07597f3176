import type { ProbeResult } from './result.ts';

/** The headers by which a prober signs a delivery, so that the service reads only probers' bodies. */
export const DELIVERY_HEADERS = {
  time: 'prober-time',
  digest: 'prober-digest',
  signature: 'prober-signature',
} as const;

/** Maximum difference between the time of a delivery and the service's clock, in seconds. */
export const DELIVERY_SECONDS = 300;

/** A delivery of results, apart from its lines. */
export interface DeliveryHead {
  readonly prober: ProbeResult['prober'];
  /** The day that the lines are about. */
  readonly date: string;
  /** Time of sending, in whole seconds since 1970. */
  readonly time: string;
  /** SHA-256 of the body, in base64. */
  readonly digest: string;
}

/**
 * Returns the text that a prober signs with its key to deliver results.
 * @example deliveryText({ prober: 'oslo', date: '2026-11-23', time: '1795564800', digest: '47DEQ…' }) // 'deliver oslo 2026-11-23 1795564800 47DEQ…'
 */
export const deliveryText = ({ prober, date, time, digest }: DeliveryHead): string =>
  `deliver ${prober} ${date} ${time} ${digest}`;
