import { ENDED_LICENSE_STATUSES } from '@broker-transparency/contract';

/** Whether a licence is in the holder's hands: counted, and shown by its regulator. */
export const isHeld = (license: { status: string }): boolean =>
  !(ENDED_LICENSE_STATUSES as readonly string[]).includes(license.status);
