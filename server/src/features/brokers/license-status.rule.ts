import { ENDED_LICENSE_STATUSES } from '@broker-transparency/contract';

/** Returns true unless the licence has ended. Only such licences are counted and listed by their regulator. */
export const isHeld = (license: { status: string }): boolean =>
  !(ENDED_LICENSE_STATUSES as readonly string[]).includes(license.status);
