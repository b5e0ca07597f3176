import type { ReviewValue } from '@broker-transparency/contract/record';
import type { BrokerDetail, BrokerSummary, Review } from '../generated/api.ts';
import { compareFields, type Difference } from './compare.ts';
import { byText, type expectBroker, expectReview, type ReviewLog } from './expected.ts';
import { FIELDS } from './fields.ts';
import type { TextOpener } from './texts.ts';

/** Puts the warnings in the order in which they are expected. */
export const sortWarnings = <T extends Pick<BrokerSummary, 'warnings'>>(answer: T): T => ({
  ...answer,
  warnings: answer.warnings.toSorted(byText(({ url }) => url)),
});

/** Leaves out texts of other sources about a description: the log has no part of them. */
const dropDescriptions = (answer: BrokerDetail): BrokerDetail => ({
  ...answer,
  provenance: answer.provenance.map((source) => ({
    ...source,
    ...(source.contradicted && {
      contradicted: source.contradicted.map(({ says, ...other }) =>
        other.field === 'description' ? other : { ...other, says },
      ),
    }),
  })) as BrokerDetail['provenance'],
});

const OWN_FIELDS = /* @__PURE__ */ FIELDS.broker.compared.filter((path) => !path.startsWith('recentReviews'));

/** Compares the fields of a broker's answer that follow from the log, without its reviews. */
export const compareBroker = (answer: BrokerDetail, expected: ReturnType<typeof expectBroker>): Difference[] =>
  compareFields(dropDescriptions(sortWarnings(answer)), expected, OWN_FIELDS);

/** Compares a review with its entry. */
export const compareReview = (review: Review, value: ReviewValue, log: ReviewLog, open: TextOpener): Difference[] => {
  const month = review.createdAt.slice(0, 7);
  return [
    ...compareFields(review, expectReview(review, value, log, open), FIELDS.review.compared),
    ...(month === value.month ? [] : [{ path: 'createdAt', answer: month, log: value.month }]),
  ];
};
