import type { BrokerHistory } from '@broker-transparency/client/record';
import type { ScoreHistory } from './charts/score-history.ts';
import type { PageContext } from './page.ts';

/** A change, and the score after it. */
export type Step = BrokerHistory['data'][number];

/** Above the number of any entry. */
const NEWEST = 999_999_999;
/** Steps on a page, with the one before them. */
const ON_PAGE = 51;
/** Maximum number of days or months of a chart: the limit of an answer. */
const IN_CHART = 100;

/** Consecutive steps, oldest first. */
export interface LastSteps extends Pick<BrokerHistory, 'slug' | 'since' | 'next'> {
  readonly steps: readonly Step[];
  /** The score before the first step; undefined if it is unknown. */
  readonly valueBefore: number | null | undefined;
  /** `before` of the page with older steps; undefined if there are none. */
  readonly older: number | undefined;
}

/** Reads the newest steps, or the newest ones before a number. */
export const readSteps = async ({ client }: PageContext, asked: string, before = NEWEST): Promise<LastSteps> => {
  const { slug, since, data, next } = await client.record.brokers.history(asked, { before, limit: ON_PAGE });
  if (data.length < ON_PAGE) return { slug, since, next, steps: data, valueBefore: undefined, older: undefined };
  const [former, ...steps] = data;
  return { slug, since, next, steps, valueBefore: former?.value, older: steps[0]?.entries[0]?.number };
};

/** Reads the score of a broker over time: for the last days with an entry, and for months before. */
export const readScoreHistory = async ({ client }: PageContext, slug: string): Promise<ScoreHistory> => {
  const days = await client.record.brokers.history(slug, { before: NEWEST, per: 'day', limit: IN_CHART });
  const [first] = days.data;
  if (!first || days.data.length < IN_CHART) return days;
  const months = await client.record.brokers.history(slug, { before: first.number, per: 'month', limit: IN_CHART });
  return { since: days.since, data: [...months.data, ...days.data] };
};
