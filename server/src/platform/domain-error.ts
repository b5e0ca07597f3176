/** Reason why a request cannot be done. */
export type DomainCode =
  | 'broker_not_found'
  | 'review_not_found'
  | 'report_not_found'
  /** Anything else that does not exist. */
  | 'not_found'
  | 'review_exists'
  | 'report_exists'
  | 'appeal_exists'
  /** The subject is in another state than the action needs, or another process works on it. */
  | 'state_conflict'
  | 'rate_limited'
  | 'invalid_token'
  /** A dependency does not answer now. */
  | 'unavailable'
  /** A value, a list or a file cannot be used. */
  | 'invalid_input'
  /** A file cannot be read. The message continues after the file's name, without a full stop. */
  | 'unreadable_file'
  | 'invalid_setting'
  /** The work was begun, and failed. */
  | 'failed';

interface DomainExtra {
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * A request cannot be done. Callers or operators read the message. `http/problem/domain-problem.ts` maps the code to a
 * problem for HTTP, and `operate/cli/program.ts` maps it for the command line.
 */
export class DomainError extends Error {
  readonly code: DomainCode;
  readonly retryAfter: number | undefined;

  constructor(code: DomainCode, message: string, { retryAfter, cause }: DomainExtra = {}) {
    super(message, { cause });
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
