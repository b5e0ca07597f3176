import type { BrokerHistory } from '@broker-transparency/client';
import type { ScoreHistory } from './charts/score-history.ts';
import type { PageContext } from './page.ts';

/** A change, and the score after it. */
export type Step = BrokerHistory['data'][number];

/** No entry has a higher number. */
const NEWEST = 999_999_999;
/** Steps on a page, with the one before them. */
const ON_PAGE = 51;
/** Days or months of a chart: as many as an answer has at most. */
const IN_CHART = 100;

/** Steps that follow each other, oldest first. */
export interface LastSteps extends Pick<BrokerHistory, 'slug' | 'since' | 'next'> {
  readonly steps: readonly Step[];
  /** The score before the first of them; undefined where nothing is known of it. */
  readonly valueBefore: number | null | undefined;
  /** `before` of the steps that are older; undefined where there are none. */
  readonly older: number | undefined;
}

/** Reads the newest steps, or the newest ones that end before a number. */
export const readSteps = async ({ record }: PageContext, asked: string, before = NEWEST): Promise<LastSteps> => {
  const { slug, since, data, next } = await record.history(asked, { before, limit: ON_PAGE });
  if (data.length < ON_PAGE) return { slug, since, next, steps: data, valueBefore: undefined, older: undefined };
  const [former, ...steps] = data;
  return { slug, since, next, steps, valueBefore: former?.value, older: steps[0]?.entries[0]?.number };
};

/** Reads the score of a broker over time: of the last days with an entry, and of months before. */
export const readScoreHistory = async ({ record }: PageContext, slug: string): Promise<ScoreHistory> => {
  const days = await record.history(slug, { before: NEWEST, per: 'day', limit: IN_CHART });
  const [first] = days.data;
  if (!first || days.data.length < IN_CHART) return days;
  const months = await record.history(slug, { before: first.number, per: 'month', limit: IN_CHART });
  return { since: days.since, data: [...months.data, ...days.data] };
};
