import type { AppealOutcome, ReportOutcome } from '@broker-transparency/contract';
import type { Types } from 'mongoose';
import type { TxContext } from '../../ledger/context.ts';
import {
  type CountedCase,
  type CountedReview,
  diffCells,
  sumCells,
  toAppealCells,
  toReportCells,
  toReviewCells,
} from './counts.rule.ts';
import { addCounts } from './store.ts';

/** Repairs a broker whose counts differ from the records. */
export { replaceCounts } from './store.ts';

interface TalliedRecord {
  readonly _id: Types.ObjectId;
  readonly broker: string;
}

/**
 * Returns the function that moves a record of one kind from its earlier to its current counts. Undefined means that the
 * record did not exist, or no longer does.
 */
const createTally =
  <T>(listCells: (record: T) => string[]) =>
  async (
    { tx }: TxContext,
    { _id, broker }: TalliedRecord,
    before: T | undefined,
    after: T | undefined,
  ): Promise<void> => {
    const cells = diffCells(before ? listCells(before) : [], after ? listCells(after) : []);
    await addCounts([{ broker, id: String(_id), cells }], tx);
  };

export const tallyReview = createTally<CountedReview>(toReviewCells);
export const tallyReport = createTally<CountedCase<ReportOutcome>>(toReportCells);
export const tallyAppeal = createTally<CountedCase<AppealOutcome>>(toAppealCells);

/** Counts many new reviews. All reviews of one broker go into the same part. */
export const tallyLoaded = ({ tx }: TxContext, reviews: readonly (TalliedRecord & CountedReview)[]): Promise<void> => {
  const byBroker = Map.groupBy(reviews, ({ broker }) => broker);
  const changes = [...byBroker].map(([broker, rows]) => ({
    broker,
    id: String(rows[0]?._id),
    cells: sumCells(rows.map((row) => diffCells([], toReviewCells(row)))),
  }));
  return addCounts(changes, tx);
};
