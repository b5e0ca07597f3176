import type { ReviewStatus } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import { toReviewMonth } from './months.rule.ts';

/** The fields of a review that the record needs. */
interface RecordedReview {
  readonly _id: { readonly toString: () => string };
  readonly broker: string;
  readonly rating: number;
  readonly status: ReviewStatus;
  readonly identityVerified: boolean;
  readonly title: string;
  readonly content: string;
  readonly author: { readonly displayName: string };
  readonly reply?: { readonly content: string } | undefined;
  readonly createdAt: Date;
  /** Time of the first publication. */
  readonly publishedAt?: Date;
  /** The random bytes that its author has seen, by field. */
  readonly salts?: Readonly<Record<'title' | 'content' | 'author', string>> | undefined;
}

const toPublishedFields = ({ broker, rating, createdAt }: RecordedReview) => ({
  broker,
  rating,
  month: toReviewMonth(createdAt),
});

const toDraft = ({ _id, broker }: RecordedReview) =>
  ({ kind: 'review', key: entryKey('review', String(_id)), subject: entryKey('broker', broker) }) as const;

const toTexts = ({ title, content, author, reply }: RecordedReview): Record<string, string> => ({
  title,
  content,
  author: author.displayName,
  ...(reply ? { reply: reply.content } : {}),
});

/** Returns the record's entries of a review: none if it was never published. */
export const toReviewEntries = (review: RecordedReview): EntryDraft[] => {
  const { status, publishedAt, identityVerified, salts } = review;
  if (status === 'published') {
    const state = identityVerified ? status : 'unverified';
    const kept = salts === undefined ? {} : { salts: { ...salts } };
    return [{ ...toDraft(review), value: { ...toPublishedFields(review), state }, texts: toTexts(review), ...kept }];
  }
  if (publishedAt === undefined) return [];
  const state = status === 'withdrawn' || status === 'withheld' ? status : 'removed';
  return [{ ...toDraft(review), value: { ...toPublishedFields(review), state }, texts: {} }];
};

/** Returns the entries of an erased review. */
export const toErasedEntries = (review: RecordedReview): EntryDraft[] =>
  review.publishedAt === undefined
    ? []
    : [{ ...toDraft(review), value: { ...toPublishedFields(review), state: 'erased' }, texts: {} }];

/** Returns the entries of an imported review whose run is undone: it is no longer published. */
export const toUndoneEntries = (review: RecordedReview): EntryDraft[] =>
  review.publishedAt === undefined ? [] : [{ ...toDraft(review), value: null, texts: {} }];
