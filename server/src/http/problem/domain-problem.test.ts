import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { toDomainProblem } from './domain-problem.ts';

const CAUSE = new Error('E11000 duplicate key');

test.each([
  ['broker_not_found', 404],
  ['review_not_found', 404],
  ['report_not_found', 404],
  ['review_exists', 409],
  ['report_exists', 409],
  ['appeal_exists', 409],
  ['state_conflict', 409],
] as const)('%s is answered by %i, and its sentence', (code, status) => {
  const problem = toDomainProblem(new DomainError(code, 'The sentence.', { cause: CAUSE }));
  expect([problem.code, problem.status, problem.message, problem.headers]).toEqual([code, status, 'The sentence.', {}]);
  expect(problem.cause).toBe(CAUSE);
});

test.each([
  ['rate_limited', 429],
  ['unavailable', 503],
] as const)('%s is answered by %i, and says when to ask again', (code, status) => {
  const problem = toDomainProblem(new DomainError(code, 'The sentence.', { retryAfter: 5 }));
  expect([problem.code, problem.status, problem.message]).toEqual([code, status, 'The sentence.']);
  expect(problem.headers).toEqual({ 'Retry-After': '5' });
});

test('a credential that is no good any more gets its challenge', () => {
  const problem = toDomainProblem(new DomainError('invalid_token', 'The account of this token is gone.'));
  expect([problem.code, problem.status, problem.message]).toEqual([
    'invalid_token',
    401,
    'The account of this token is gone.',
  ]);
  expect(problem.headers).toEqual({
    'WWW-Authenticate': 'Bearer realm="broker-transparency", error="invalid_token"',
  });
});

test.each(['not_found', 'invalid_input', 'unreadable_file', 'invalid_setting', 'failed'] as const)(
  '%s is for operators: a caller gets a fault without the sentence',
  (code) => {
    const error = new DomainError(code, 'See: import list');
    const problem = toDomainProblem(error);
    expect([problem.code, problem.status, problem.message]).toEqual(['internal_error', 500, 'An unexpected fault.']);
    expect(problem.cause).toBe(error);
  },
);
