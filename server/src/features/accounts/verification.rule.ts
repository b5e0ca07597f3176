import { Text, Timestamp } from '@broker-transparency/contract';
import * as z from 'zod';

/**
 * Who verified a person's identity elsewhere, and when, in a row of an import. Without it the person counts as not
 * verified: what nobody states is not assumed.
 */
export const Verification = z.strictObject({
  provider: Text(1, 100),
  /** The provider's reference to the person, stored as a hash. */
  person: Text(1, 200),
  verifiedAt: Timestamp,
});
