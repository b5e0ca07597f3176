/** Why something that was asked for is not done. */
export type DomainCode =
  | 'broker_not_found'
  | 'review_not_found'
  | 'report_not_found'
  /** Anything else that is not there. */
  | 'not_found'
  | 'review_exists'
  | 'report_exists'
  | 'appeal_exists'
  /** It is not in the state that this needs, or somebody else is at it. */
  | 'state_conflict'
  | 'rate_limited'
  | 'invalid_token'
  /** What it depends on cannot be asked now. */
  | 'unavailable'
  /** A value, a list or a file cannot be used. */
  | 'invalid_input'
  /** A file cannot be read; the message goes on after its name, without a full stop. */
  | 'unreadable_file'
  | 'invalid_setting'
  /** It was begun, and its end is not the one that was asked for. */
  | 'failed';

interface DomainExtra {
  /** After so many seconds it may be asked for again. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * What was asked for cannot be done. The message is read by whoever asked: a caller or an operator. HTTP answers by the
 * problem that `http/problem/domain-problem.ts` names for the code, the command line as `operate/cli/program.ts` says.
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
