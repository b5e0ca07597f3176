import type { BrokerHistory } from '@broker-transparency/client';
import type { History } from './charts/score-history.ts';
import type { PageContext } from './page.ts';

/** An entry of the record, and the score after it. */
export type Step = BrokerHistory['data'][number];

/** No entry has a higher number. */
const NEWEST = 999_999_999;
/** Steps on a page, with the one before them. */
const ON_PAGE = 51;
/** Days or months of a chart: as many as an answer has at most. */
const IN_CHART = 100;

/** The last entries of a broker's record, oldest first. */
export interface LastSteps {
  readonly slug: string;
  /** When the record of the broker begins. */
  readonly since: string;
  readonly steps: readonly Step[];
  /** The score before the first of them; undefined where they are all. */
  readonly valueBefore: number | null | undefined;
  /** `before` of the steps that are older; undefined where there are none. */
  readonly older: number | undefined;
  /** The steps right before and after these, by which a change can be told that is on two pages. */
  readonly around: readonly [before: Step | undefined, after: Step | undefined];
}

/** Returns the first entry from a number on; undefined if there is none. */
export const findStep = async ({ record }: PageContext, slug: string, from: number): Promise<Step | undefined> =>
  (await record.history(slug, { from, limit: 1 })).data[0];

/** Reads the newest entries, or the newest ones before one. @returns undefined where `before` is no entry of the broker */
export const readSteps = async (
  { record }: PageContext,
  asked: string,
  before: number | undefined,
): Promise<LastSteps | undefined> => {
  const isNewest = before === undefined;
  const { slug, since, data } = await record.history(asked, {
    before: isNewest ? NEWEST : Math.min(before + 1, NEWEST),
    limit: isNewest ? ON_PAGE : ON_PAGE + 1,
  });
  const [found, after] = isNewest ? [data] : [data.slice(0, -1), data.at(-1)];
  if (after?.number !== before) return undefined;
  const all = { slug, since, steps: found, valueBefore: undefined, older: undefined };
  if (found.length < ON_PAGE) return { ...all, around: [undefined, after] };
  const [first, ...steps] = found;
  return { slug, since, steps, valueBefore: first?.value, older: steps[0]?.number, around: [first, after] };
};

/** Reads the score of a broker over time: of the last days with an entry, and of months before. */
export const readScoreHistory = async ({ record }: PageContext, slug: string): Promise<History> => {
  const days = await record.history(slug, { before: NEWEST, per: 'day', limit: IN_CHART });
  const [first] = days.data;
  if (!first || days.data.length < IN_CHART) return days;
  const months = await record.history(slug, { before: first.number, per: 'month', limit: IN_CHART });
  return { since: days.since, data: [...months.data, ...days.data] };
};
