import { describe, expect, test } from 'vitest';
import { ReviewRecord } from './imported.rule.ts';

const BASE = {
  reference: '1',
  broker: 'alpha',
  rating: 4,
  title: 'Good',
  content: 'I withdrew three times this year.',
  language: 'en',
  author: { subject: 'person-1', displayName: 'Reviewer 1' },
  createdAt: '2026-01-02T00:00:00Z',
};
const publishedAt = '2026-01-03T00:00:00Z';
const faults = (fields: object) =>
  ReviewRecord.safeParse({ ...BASE, ...fields }).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('an imported review', () => {
  test.each([
    { status: 'pending' },
    { status: 'published', publishedAt },
    { status: 'rejected', reasonCode: 'insult' },
    { status: 'removed', reasonCode: 'insult', publishedAt },
    { status: 'withdrawn' },
    { status: 'withdrawn', publishedAt },
    { status: 'published', publishedAt, reply: { content: 'Thank you.', createdAt: publishedAt } },
    {
      status: 'published',
      publishedAt,
      verification: { provider: 'p', person: 'x', verifiedAt: '2026-01-01T00:00:00Z' },
    },
  ])('%j fits', (fields) => {
    expect(faults(fields)).toBeUndefined();
  });

  test.each<[object, string, RegExp]>([
    [{ status: 'pending', publishedAt }, 'publishedAt', /must be empty for a review that is pending/],
    [{ status: 'published' }, 'publishedAt', /must be there for a review that is published/],
    [{ status: 'rejected' }, 'reasonCode', /must be there for a review that is rejected/],
    [{ status: 'published', publishedAt, reasonCode: 'insult' }, 'reasonCode', /must be empty/],
    [{ status: 'rejected', reasonCode: 'merged' }, 'reasonCode', /expected one of/],
    [{ status: 'published', publishedAt: '2026-01-01T00:00:00Z' }, 'publishedAt', /must not be before createdAt/],
    [
      { status: 'pending', reply: { content: 'Thank you.', createdAt: publishedAt } },
      'reply.content',
      /must be empty for a review that was never published/,
    ],
    [
      {
        status: 'published',
        publishedAt,
        verification: { provider: 'p', person: 'x', verifiedAt: '2026-01-02T00:00:01Z' },
      },
      'verification.verifiedAt',
      /must not be after createdAt: who was verified later was not when it was written/,
    ],
  ])('%j does not, in column %s', (fields, column, message) => {
    expect(faults(fields)).toEqual([[column, expect.stringMatching(message)]]);
  });
});
