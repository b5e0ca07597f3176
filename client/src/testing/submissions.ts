import type {
  ComplaintReceipt,
  ComplaintSubmission,
  ReviewSubmission,
  SubmittedReview,
} from '@broker-transparency/client';
import type { Account } from './accounts.ts';
import { CallRefusal } from './policy.ts';
import { toId } from './random.ts';
import type { State } from './state.ts';
import type { ReviewState, StoredReview } from './stored.ts';

/**
 * Returns the broker that has or had a slug.
 * @throws CallRefusal `broker_not_found`
 */
export const requireBroker = (state: State, slug: string) => {
  const broker = state.broker(slug);
  if (broker === undefined) throw new CallRefusal('broker_not_found', `No broker has the slug "${slug}".`);
  return broker;
};

const LIVE: readonly ReviewState[] = ['pending', 'published', 'withheld'];
const isLive = ({ status }: StoredReview): boolean => LIVE.includes(status);

/**
 * Stores a review as pending.
 * @throws CallRefusal `broker_not_found`, `review_exists`
 */
export const submitReview = (state: State, account: Account, body: ReviewSubmission, at: Date): SubmittedReview => {
  const { broker: given, ...submission } = body;
  const { token, displayName, country, kyc } = account;
  const { slug: broker } = requireBroker(state, given);
  if (state.reviews.some((review) => review.token === token && review.brokerSlug === broker && isLive(review)))
    throw new CallRefusal('review_exists', 'You already have a review of this broker that is pending or published.');
  const review = {
    id: toId('submitted', String(state.nextNumber())),
    brokerSlug: broker,
    ...submission,
    author: { displayName, ...(country === undefined ? {} : { country }) },
    identityVerified: kyc === 'verified',
    createdAt: at.toISOString(),
    status: 'pending' as const,
  };
  state.putReview({ ...review, token }, at);
  return review;
};

/**
 * Stores a complaint as received.
 * @throws CallRefusal `broker_not_found`
 */
export const submitComplaint = (
  state: State,
  { token }: Account,
  body: ComplaintSubmission,
  at: Date,
): ComplaintReceipt => {
  const { slug: broker } = requireBroker(state, body.broker);
  const { category, title, consentToForward } = body;
  const reference = `C-TEST${String(state.nextNumber()).padStart(6, '0')}`;
  const known = { reference, status: 'received', createdAt: at.toISOString() } as const;
  state.addComplaint({ ...body, broker, ...known, token }, at);
  return { ...known, brokerSlug: broker, category, title, consentToForward };
};
