import type { BrokerHistory } from '@broker-transparency/client/record';
import type { PageContext } from '../page.ts';
import { isToBeRead, type StoryItem, type StoryStep, tellStory } from './story.rule.ts';

/** Above the number of any entry. */
const NEWEST = 999_999_999;
/** Changes of an answer, and most answers for one story. */
const [IN_ANSWER, MOST_ANSWERS] = [100, 2];
/** Changes whose facts are read, the newest ones: each takes two reads of the record. */
const MOST_READ = 5;

/** The story of a broker. */
export interface Story {
  /** Oldest first. */
  readonly items: readonly StoryItem[];
  /** Time of the first change that it tells, if there are older ones. */
  readonly cutAt: string | undefined;
}

const readChanges = async ({ client }: PageContext, slug: string): Promise<StoryStep[]> => {
  const changes: BrokerHistory['data'] = [];
  let before: number | null = NEWEST;
  for (let answer = 0; answer < MOST_ANSWERS && before !== null; answer++) {
    const found: BrokerHistory = await client.record.brokers.history(slug, { before, limit: IN_ANSWER });
    changes.unshift(...found.data);
    before = found.previous;
  }
  const steps = changes.map((step, at) => ({ ...step, valueBefore: changes[at - 1]?.value }));
  return before === null ? steps : steps.slice(1); // the score before the oldest one is not known here
};

const readFacts = async (
  { client }: PageContext,
  slug: string,
  [previous, step]: readonly [StoryStep, StoryStep],
): Promise<StoryStep> => {
  const read = (knownAt: number) => client.safe.record.brokers.at(slug, { knownAt, validAt: step.time });
  const [before, after] = await Promise.all([read(previous.number), read(step.number)]);
  return after.data ? { ...step, facts: { before: before.data, after: after.data } } : step;
};

/** Reads the newest changes of a broker, and the facts around those that a story tells in detail. */
export const readStory = async (context: PageContext, slug: string): Promise<Story> => {
  const steps = await readChanges(context, slug);
  const wanted = new Set(steps.filter(isToBeRead).slice(-MOST_READ));
  const read = await Promise.all(
    steps.map((step, at) => {
      const previous = steps[at - 1];
      return previous && wanted.has(step) ? readFacts(context, slug, [previous, step]) : step;
    }),
  );
  const [first] = read;
  return { items: tellStory(read), cutAt: first?.valueBefore === undefined ? undefined : first.time };
};
