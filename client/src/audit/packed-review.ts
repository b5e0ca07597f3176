import { RECORDED_REVIEW_STATES, type ReviewValue } from '@broker-transparency/contract/record';

/*
 * A review as one number. A log has more reviews than anything else, and hardly any of them ever changes: as an object
 * each would take ten times the memory.
 */

const MOST = { month: 2 ** 17, hundredths: 2 ** 9, state: 2 ** 3 } as const;

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * Returns a review as a whole number, if it has the usual form.
 * @param broker number of its broker
 */
export const packReview = ({ rating, month, state }: ReviewValue, broker: number): number | undefined => {
  const [, year, inYear] = MONTH.exec(month) ?? [];
  const [hundredths, index] = [Math.round(rating * 100), RECORDED_REVIEW_STATES.indexOf(state)];
  if (year === undefined || index < 0 || hundredths / 100 !== rating || hundredths < 0 || hundredths >= MOST.hundredths)
    return undefined;
  const months = Number(year) * 12 + Number(inYear) - 1;
  return ((broker * MOST.month + months) * MOST.hundredths + hundredths) * MOST.state + index;
};

/** Returns the review that is packed in a number. */
export const unpackReview = (packed: number, findBroker: (broker: number) => string): ReviewValue => {
  let rest = packed;
  const take = (most: number): number => {
    const part = rest % most;
    rest = (rest - part) / most;
    return part;
  };
  const state = RECORDED_REVIEW_STATES[take(MOST.state)] as ReviewValue['state'];
  const rating = take(MOST.hundredths) / 100;
  const months = take(MOST.month);
  const month = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
  return { broker: findBroker(rest), rating, month, state };
};
