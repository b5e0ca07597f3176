import type { LastSteps } from '../history.ts';
import type { PageContext } from '../page.ts';
import { isToBeRead, type StoryItem, type StoryStep, tellStory } from './story.rule.ts';

/** Changes whose facts are read, the newest ones: each takes two reads of the record. */
const MOST_READ = 5;

/** The story of a broker. */
export interface Story {
  /** Oldest first. */
  readonly items: readonly StoryItem[];
  /** Time of the first change that it tells, if there are older ones. */
  readonly cutAt: string | undefined;
}

const readFacts = async (
  { client }: PageContext,
  slug: string,
  [previous, step]: readonly [StoryStep, StoryStep],
): Promise<StoryStep> => {
  const read = (knownAt: number) => client.safe.record.brokers.at(slug, { knownAt, validAt: step.time });
  const [before, after] = await Promise.all([read(previous.number), read(step.number)]);
  return after.data ? { ...step, facts: { before: before.data, after: after.data } } : step;
};

/** Reads the facts around the changes that a story tells in detail, and tells it. */
export const readStory = async (context: PageContext, { slug, story: steps }: LastSteps): Promise<Story> => {
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
