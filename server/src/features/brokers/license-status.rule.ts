import { hasLicenseEnded } from '@broker-transparency/contract';

/** Returns true unless the licence has ended. Only such licences are counted and listed by their regulator. */
export const isHeld = (license: { status: string }): boolean => !hasLicenseEnded(license);
