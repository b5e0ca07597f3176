import { answersOf, deleteAnswersOf } from '../../http/request/idempotency.ts';
import { accountData } from '../accounts/people.ts';
import { complaintData } from '../complaints/people.ts';
import { moderationData } from '../moderation/people.ts';
import type { PersonalDataSource } from '../personal-data.ts';
import { reviewData } from '../reviews/people.ts';

/** Answers to POSTs, which repeat what was sent. */
const answerData: PersonalDataSource = {
  collections: ['idempotentAnswers'],
  held: async ({ accountIds }, tx) => ({ answers: await answersOf(accountIds, tx) }),
  erase: ({ tx }, { accountIds }, limit) => deleteAnswersOf(accountIds, limit, tx),
};

/**
 * Everything that holds something about people. Accounts come first: without one nothing new can come. What is about a
 * review comes before the reviews, by which it is found.
 */
export const PERSONAL_DATA_SOURCES: readonly PersonalDataSource[] = [
  accountData,
  moderationData,
  reviewData,
  complaintData,
  answerData,
];

/** Collections from which nobody is erased. A new one belongs here or to a source: a test asks for it. */
export const KEPT_COLLECTIONS: readonly string[] = [
  'brokerProfiles',
  'brokers',
  'brokerDetails',
  'brokerSummaries',
  'licenses',
  'ratingMonths',
  'regulators',
  'moderationCounts',
  'news',
  'newsFeeds',
  'newsTaken',
  'importRuns',
  'importBatches',
  'due',
  'jobs',
  'migrations',
  // ids of messages, for a month or so
  'receivedKycEvents',
  // names people by the ids of their accounts only, and keeps them
  'audit',
  // hashes and ids of people who were erased: what keeps them so
  'erasures',
  // hashes of people who are blocked: what keeps them so
  'blocks',
];
