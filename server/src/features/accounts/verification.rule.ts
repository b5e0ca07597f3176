import { Text, Timestamp } from '@broker-transparency/contract';
import * as z from 'zod';

/**
 * The identity verification by another provider, in a row of an import. Without it the person counts as not verified.
 */
export const Verification = z.strictObject({
  provider: Text(1, 100),
  /** The provider's reference to the person, stored as a hash. */
  person: Text(1, 200),
  verifiedAt: Timestamp,
});
