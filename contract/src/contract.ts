/** The public resources: their routes, schemas and descriptions. */
import { brokers } from './brokers.ts';
import { complaints } from './complaints.ts';
import { news } from './news.ts';
import { regulators } from './regulators.ts';
import { reviews } from './reviews.ts';
import { search } from './search.ts';

export {
  BROKER_STATUSES,
  BrokerDetail,
  BrokerList,
  BrokerSummary,
  BrokerUpdates,
  BrokerWarning,
  ChecklistItem,
  ComplaintSummary,
  Contradiction,
  FactSource,
  LICENSE_FILTERS,
  Moved,
  MovedSlug,
  Predecessor,
  Provenance,
  RatingSummary,
  WARNING_FILTERS,
} from './brokers.ts';
export {
  COMPLAINT_CATEGORIES,
  COMPLAINT_LIMIT,
  COMPLAINT_STATUSES,
  ComplaintReceipt,
  type ComplaintStatus,
  ComplaintSubmission,
} from './complaints.ts';
export { NEWS_CATEGORIES, NEWS_SEVERITIES, NewsItem, NewsList } from './news.ts';
export { RegulatedBroker, RegulatedLicense, Regulator, RegulatorDetail, RegulatorList } from './regulators.ts';
export {
  Rating,
  REVIEW_STATUSES,
  Review,
  ReviewAuthor,
  ReviewList,
  ReviewReply,
  type ReviewStatus,
  ReviewSubmission,
  SubmittedReview,
} from './reviews.ts';
export { SEARCH_RESULTS, SearchResults } from './search.ts';

/** Path prefix of every route of the contract. It includes the version. */
export const BASE_PATH = '/api/v1';

/** The parts of the contract by name. Naming the type keeps the emitted declarations from repeating each part. */
type Contract = {
  search: typeof search;
  brokers: typeof brokers;
  regulators: typeof regulators;
  reviews: typeof reviews;
  complaints: typeof complaints;
  news: typeof news;
};

/** Descriptions of the resources of the contract. These are the tags of the OpenAPI document. */
export const RESOURCES: Readonly<Record<keyof Contract, string>> = {
  search: 'Find brokers by keyword.',
  brokers: 'Brokers with their score, taken apart down to its sources.',
  regulators: 'Financial regulators and whom they regulate.',
  reviews: 'Reviews of brokers by people whose identity is verified.',
  complaints: 'Complaints about brokers. Private: only counts are published.',
  news: 'News of the industry and warnings of authorities.',
};

/**
 * The nine endpoints, as plain data that ts-rest takes as it is. The server, the client, the OpenAPI document and the
 * tests are all derived from it.
 */
export const contract: Contract = { search, brokers, regulators, reviews, complaints, news };
