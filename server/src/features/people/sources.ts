import { deleteStoredAnswers, findStoredAnswers } from '../../http/request/idempotency.ts';
import { accountData } from '../accounts/people.ts';
import { complaintData } from '../complaints/people.ts';
import { moderationData } from '../moderation/people.ts';
import { noticeData } from '../notices/people.ts';
import type { PersonalDataSource } from '../personal-data.ts';
import { reviewData } from '../reviews/people.ts';

/** Stored answers to POSTs, which repeat what was sent. */
const answerData: PersonalDataSource = {
  collections: ['idempotentAnswers'],
  held: async ({ accountIds }, tx) => ({ answers: await findStoredAnswers(accountIds, tx) }),
  erase: ({ tx }, { accountIds }, limit) => deleteStoredAnswers(accountIds, limit, tx),
};

/**
 * Every source of personal data. Accounts come first: without an account nothing new can be written. Data about reviews
 * comes before the reviews by which it is found.
 */
export const PERSONAL_DATA_SOURCES: readonly PersonalDataSource[] = [
  accountData,
  noticeData,
  moderationData,
  reviewData,
  complaintData,
  answerData,
];

/** Collections that erasures leave alone. A test requires every collection to be here or in a source. */
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
  // what authorities publish, and what it was matched with
  'authorityWarnings',
  'warningMatches',
  'warningLists',
  'warningProgress',
  'brokerAlarms',
  'subjects',
  // who stated a fact is named as in the audit trail
  'statements',
  'factVersions',
  // commitments to texts, and texts that are public; an erasure of a review takes its texts with it
  'recordEntries',
  'recordTexts',
  'recordHeads',
  'recordSubtotals',
  'recordDays',
  'logHeads',
  'logRefusals',
  'logTiles',
  'logWitnesses',
  // customers are organisations; their keys are hashes, and what they asked for ends with the time of their plan
  'organisations',
  'organisationKeys',
  'enterpriseAccesses',
  'enterpriseUses',
  // public keys of the log, for ever
  'logKeys',
  // says that a database is a demo
  'demoMarks',
  // public keys of probers, and how the service was seen from outside
  'probers',
  'proberDays',
  'proberLines',
  // slugs that organisations watch
  'enterpriseWatchlists',
  // what operators say of outages
  'incidents',
  // published lists: which file is the last good one
  'registerFiles',
  // who acts at the command line: names as in the audit trail, hashes of tokens, and requests of admins
  'operators',
  'operatorTokens',
  'operatorRequests',
  // which processes run, on which machines of the operator
  'servers',
  'due',
  'jobs',
  'migrations',
  // ids of messages, for about a month
  'receivedKycEvents',
  // permanent; names people only by the ids of their accounts
  'audit',
  // systems of the operator, and how they verify what they are told
  'noticeWebhooks',
  // addresses of organisations, and how far each is: thin events are in no outbox
  'webhookEndpoints',
  // hashes and ids of erased people, needed to keep them erased
  'erasures',
  // hashes of blocked people, needed to keep them blocked
  'blocks',
  // ids of blocks that were lifted
  'liftedBlocks',
];
