import { BrokerTransparencyError } from '../base-error.ts';

/**
 * The faults that a verification can find:
 *
 * - `invalid_policy`: the policy, which is yours, cannot be read, or a key's id is not the hash of the key
 * - `malformed`: the text is no proof or no checkpoint of this service
 * - `unknown_log`: the policy names no log of this origin
 * - `not_signed`: none of the log's keys in the policy has signed
 * - `wrong_signature`: a signature by a key of the policy is wrong, so the whole text is refused
 * - `too_few_witnesses`: fewer witnesses have signed than the policy requires
 * - `not_in_log`: the entry is not what the log has at this place
 * - `not_in_day`: the score is not what the entry of the day has at this place
 * - `not_as_proven`: a publication, or the file about a review, says something else than its proofs
 * - `not_consistent`: the newer tree does not continue the older one
 * - `unsupported`: this platform cannot verify Ed25519 signatures
 */
export type VerifyErrorCode =
  | 'invalid_policy'
  | 'malformed'
  | 'unknown_log'
  | 'not_signed'
  | 'wrong_signature'
  | 'too_few_witnesses'
  | 'not_in_log'
  | 'not_in_day'
  | 'not_as_proven'
  | 'not_consistent'
  | 'unsupported';

/**
 * Something is not proven. The message says what differs.
 * @example if (error instanceof VerifyError && error.code === 'not_in_log') console.error(error.message);
 */
export class VerifyError extends BrokerTransparencyError {
  readonly code: VerifyErrorCode;
  constructor(code: VerifyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
VerifyError.prototype.name = 'VerifyError';

/** Runs a parser; what it throws becomes a {@link VerifyError}. */
export const parsing = <T>(code: VerifyErrorCode, what: string, parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new VerifyError(code, `${what}: ${(error as Error).message}`, { cause: error });
  }
};
