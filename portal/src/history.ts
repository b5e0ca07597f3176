import type { BrokerHistory } from '@broker-transparency/client';
import type { History } from './charts/score-history.ts';
import type { PageContext } from './page.ts';

/** An entry of the record, and the score after it. */
export type Step = BrokerHistory['data'][number];

/** No entry has a higher number. */
const NEWEST = 999_999_999;
/** Most steps of an answer. */
const MOST = 100;

/** The last entries of a broker's record, oldest first. */
export interface LastSteps {
  readonly slug: string;
  readonly steps: readonly Step[];
  /** The score before the first of them; undefined where they are all. */
  readonly valueBefore: number | null | undefined;
  /** `before` of the steps that are older; undefined where there are none. */
  readonly older: number | undefined;
  /** The steps right before and after these, by which a change can be told that is on two pages. */
  readonly around: readonly [before: Step | undefined, after: Step | undefined];
}

/** Reads the newest entries, or the newest ones with lower numbers. */
export const readSteps = async ({ record }: PageContext, slug: string, before = NEWEST): Promise<LastSteps> => {
  const [found, next] = await Promise.all([
    record.history(slug, { before, limit: MOST }),
    before === NEWEST ? undefined : record.history(slug, { from: before, limit: 1 }),
  ]);
  const after = next?.data[0];
  if (found.data.length < MOST)
    return {
      slug: found.slug,
      steps: found.data,
      valueBefore: undefined,
      older: undefined,
      around: [undefined, after],
    };
  const [first, ...steps] = found.data;
  return { slug: found.slug, steps, valueBefore: first?.value, older: steps[0]?.number, around: [first, after] };
};

/** Reads the score of a broker over time: of the last days with an entry, and of months before. */
export const readScoreHistory = async ({ record }: PageContext, slug: string): Promise<History> => {
  const days = await record.history(slug, { before: NEWEST, per: 'day', limit: MOST });
  const [first] = days.data;
  if (!first || days.data.length < MOST) return days;
  const months = await record.history(slug, { before: first.number, per: 'month', limit: MOST });
  return { since: days.since, data: [...months.data, ...days.data] };
};
