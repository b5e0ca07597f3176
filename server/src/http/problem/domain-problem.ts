import type { ProblemCode } from '@broker-transparency/contract';
import type { DomainCode, DomainError } from '../../platform/domain-error.ts';
import { createAuthProblem } from '../auth/access.ts';
import { ProblemError } from './problem.ts';

/**
 * Problem code for each domain code. Only operators meet the last ones: for a caller they are faults of the service.
 */
const PROBLEM_OF: Readonly<Record<DomainCode, ProblemCode>> = {
  broker_not_found: 'broker_not_found',
  review_not_found: 'review_not_found',
  report_not_found: 'report_not_found',
  review_exists: 'review_exists',
  report_exists: 'report_exists',
  appeal_exists: 'appeal_exists',
  state_conflict: 'state_conflict',
  rate_limited: 'rate_limited',
  invalid_token: 'invalid_token',
  unavailable: 'unavailable',
  not_found: 'internal_error',
  invalid_input: 'internal_error',
  unreadable_file: 'internal_error',
  invalid_setting: 'internal_error',
  failed: 'internal_error',
};

export const internalError = (cause: unknown): ProblemError =>
  new ProblemError('internal_error', 'An unexpected fault.', { cause });

/** Returns the problem that a caller gets for a domain error. */
export const toDomainProblem = (error: DomainError): ProblemError => {
  const { message, retryAfter, cause = error } = error;
  const code = PROBLEM_OF[error.code];
  if (code === 'internal_error') return internalError(error);
  if (code === 'invalid_token') return createAuthProblem(code, message);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return new ProblemError(code, message, { headers, cause });
};
