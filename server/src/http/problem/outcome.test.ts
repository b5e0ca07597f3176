import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { attempt } from './outcome.ts';
import { invalidRequest, ProblemError } from './problem.ts';

test('an action that is done gives its result', async () => {
  expect(await attempt(async () => 1)).toEqual({ done: 1 });
});

test.each([
  [new DomainError('review_exists', 'one'), { code: 'review_exists', detail: 'one', faults: [] }],
  [new DomainError('rate_limited', 'later', { retryAfter: 60 }), { code: 'rate_limited', retryAfter: 60 }],
  [new ProblemError('unavailable', 'soon'), { code: 'unavailable' }],
  [
    invalidRequest([{ pointer: '#/amountInDispute/a~1b', code: 'required', detail: 'It is required.' }]),
    { faults: [{ path: ['amountInDispute', 'a/b'], code: 'required', detail: 'It is required.' }] },
  ],
])('an action that is refused by %s gives its problem', async (error, refused) => {
  expect(await attempt(() => Promise.reject(error))).toMatchObject({ refused });
});

test.each([
  new TypeError('a fault'),
  new ProblemError('internal_error', 'a fault'),
  new DomainError('invalid_token', 'gone'),
])('%s is not an answer for a page', async (error) => {
  await expect(attempt(() => Promise.reject(error))).rejects.toBe(error);
});
