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

/** Reads the newest entries, or the newest ones before `after`. */
export const readSteps = async ({ record }: PageContext, asked: string, after?: Step): Promise<LastSteps> => {
  const { slug, since, data } = await record.history(asked, { before: after?.number ?? NEWEST, limit: MOST });
  const all = { slug, since, steps: data, valueBefore: undefined, older: undefined };
  if (data.length < MOST) return { ...all, around: [undefined, after] };
  const [first, ...steps] = data;
  return { slug, since, steps, valueBefore: first?.value, older: steps[0]?.number, around: [first, after] };
};

/** Reads the score of a broker over time: of the last days with an entry, and of months before. */
export const readScoreHistory = async ({ record }: PageContext, slug: string): Promise<History> => {
  const days = await record.history(slug, { before: NEWEST, per: 'day', limit: MOST });
  const [first] = days.data;
  if (!first || days.data.length < MOST) return days;
  const months = await record.history(slug, { before: first.number, per: 'month', limit: MOST });
  return { since: days.since, data: [...months.data, ...days.data] };
};
