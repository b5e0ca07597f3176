import type { BrokerHistory } from '@broker-transparency/client/record';
import type { ScoreHistory } from './charts/score-history.ts';
import type { PageContext } from './page.ts';

/** A change, and the score after it. */
export type Step = BrokerHistory['data'][number];

/** Above the number of any entry. */
const NEWEST = 999_999_999;
/** Steps that are read for a page: those of its story, with the one before them. */
const READ = 70;
/** Steps in the list of a page. */
const ON_PAGE = 50;
/** Maximum number of days or months of a chart: the limit of an answer. */
const IN_CHART = 100;

/** A step with the score before it. */
export interface HistoryChange extends Step {
  /** Undefined for the first step of the record. */
  readonly valueBefore: number | null | undefined;
}

/** Consecutive steps, oldest first. */
export interface LastSteps extends Pick<BrokerHistory, 'slug' | 'since' | 'next'> {
  readonly steps: readonly HistoryChange[];
  /** The same and older ones. */
  readonly story: readonly HistoryChange[];
  /** `before` of the page with older steps; undefined if there are none. */
  readonly older: number | undefined;
}

/** Reads the newest steps, or the newest ones before a number. */
export const readSteps = async ({ client }: PageContext, asked: string, before = NEWEST): Promise<LastSteps> => {
  const { slug, since, data, next } = await client.record.brokers.history(asked, { before, limit: READ });
  const all = data.map((step, at) => ({ ...step, valueBefore: data[at - 1]?.value }));
  const story = data.length < READ ? all : all.slice(1); // the score before the oldest one is not known here
  const steps = story.slice(-ON_PAGE);
  const older = steps.length < story.length ? steps[0]?.entries[0]?.number : undefined;
  return { slug, since, next, steps, story, older };
};

/** Reads the score of a broker over time: for the last days with an entry, and for months before. */
export const readScoreHistory = async ({ client }: PageContext, slug: string): Promise<ScoreHistory> => {
  const days = await client.record.brokers.history(slug, { before: NEWEST, per: 'day', limit: IN_CHART });
  const [first] = days.data;
  if (!first || days.data.length < IN_CHART) return days;
  const months = await client.record.brokers.history(slug, { before: first.number, per: 'month', limit: IN_CHART });
  return { since: days.since, data: [...months.data, ...days.data] };
};
