import { REVIEW_STATUSES } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toErasedEntries, toReviewEntries } from './entries.rule.ts';

const ID = '6b014b09f3536c20fa275367';
const PUBLISHED_AT = new Date('2026-03-02T10:00:00Z');
const REVIEW = {
  _id: ID,
  broker: 'alpha',
  rating: 4.25,
  status: 'published',
  identityVerified: true,
  title: 'Quick to pay out',
  content: 'The money came within two days.',
  author: { displayName: 'Ann B.' },
  createdAt: new Date('2026-02-28T23:59:59.999Z'),
  publishedAt: PUBLISHED_AT,
} as const;
const VALUE = { broker: 'alpha', rating: 4.25, month: '2026-02' };
const PLACE = { kind: 'review', key: `review/${ID}`, subject: 'broker/alpha' };

describe('a review in the record', () => {
  test('a review in the record has what is published of it, and its texts beside it', () => {
    expect(toReviewEntries(REVIEW)).toEqual([
      {
        ...PLACE,
        value: { ...VALUE, state: 'published' },
        texts: { title: REVIEW.title, content: REVIEW.content, author: 'Ann B.' },
      },
    ]);
  });

  test('a review of a person whom nobody verified is published, and counts nowhere', () => {
    const [entry] = toReviewEntries({ ...REVIEW, identityVerified: false });
    expect(entry).toMatchObject({ value: { ...VALUE, state: 'unverified' }, texts: { title: REVIEW.title } });
    expect(toReviewEntries({ ...REVIEW, identityVerified: false, status: 'removed' })[0]?.value).toEqual({
      ...VALUE,
      state: 'removed',
    });
  });

  test('a review has its reply among the texts, while there is one', () => {
    const [entry] = toReviewEntries({ ...REVIEW, reply: { content: 'Dear Ann' } });
    expect(entry?.texts).toMatchObject({ reply: 'Dear Ann' });
    expect(toReviewEntries({ ...REVIEW, reply: undefined })[0]?.texts).not.toHaveProperty('reply');
  });

  const STATES = {
    pending: null,
    published: 'published',
    withheld: 'withheld',
    rejected: null,
    removed: 'removed',
    withdrawn: 'withdrawn',
  };

  test('a review has a state for each status', () => {
    expect(Object.keys(STATES).sort()).toEqual([...REVIEW_STATUSES].sort());
  });

  test.each(Object.entries(STATES) as [(typeof REVIEW_STATUSES)[number], string | null][])(
    'a review that is %s and was published is %s',
    (status, state) => {
      const [entry] = toReviewEntries({ ...REVIEW, status });
      expect(entry?.value).toEqual({ ...VALUE, state: state ?? 'removed' });
      if (status !== 'published') expect(entry?.texts).toEqual({});
    },
  );

  test.each(REVIEW_STATUSES.filter((status) => status !== 'published'))(
    'a review that is %s and never was published has no entry, even after an erasure',
    (status) => {
      const { publishedAt: _, ...review } = { ...REVIEW, status };
      expect(toReviewEntries(review)).toEqual([]);
      expect(toErasedEntries(review)).toEqual([]);
    },
  );

  test.each(REVIEW_STATUSES)(
    'a published review that is erased while it is %s keeps its id, rating and month alone',
    (status) => {
      expect(toErasedEntries({ ...REVIEW, status })).toEqual([
        { ...PLACE, value: { ...VALUE, state: 'erased' }, texts: {} },
      ]);
    },
  );

  test('a review has no text of a person in its value, whatever they wrote', () => {
    const text = fc.string({ unit: 'binary', minLength: 20 });
    const texts = fc.record({ title: text, content: text, name: text, reply: text });
    fc.assert(
      fc.property(texts, fc.constantFrom(...REVIEW_STATUSES), ({ title, content, name, reply }, status) => {
        const review = { ...REVIEW, status, title, content, author: { displayName: name }, reply: { content: reply } };
        for (const { value } of [...toReviewEntries(review), ...toErasedEntries(review)])
          expect(Object.keys(value ?? {}).sort()).toEqual(['broker', 'month', 'rating', 'state']);
      }),
      { seed: 20_261_101, numRuns: 200 },
    );
  });
});
