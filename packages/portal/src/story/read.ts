import { type LastSteps, readScoreHistory, readSteps } from '../history.ts';
import type { PageContext } from '../page.ts';
import { isFall, isToBeRead, type StoryItem, type StoryStep, tellStory } from './story.rule.ts';

/** Changes whose facts are read, falls first, and of both the newest: each takes two reads of the record. */
const MOST_READ = 5;

/** The story of a broker. */
export interface Story {
  /** Oldest first. */
  readonly items: readonly StoryItem[];
  /** Time of the first change that it tells, if there are older ones. */
  readonly cutAt: string | undefined;
}

const readFacts = async <Step extends StoryStep>(
  { client }: PageContext,
  slug: string,
  [previous, step]: readonly [StoryStep, Step],
): Promise<Step & Pick<StoryStep, 'facts'>> => {
  const read = (knownAt: number) => client.safe.record.brokers.at(slug, { knownAt, validAt: step.time });
  const [before, after] = await Promise.all([read(previous.number), read(step.number)]);
  const isBeforeKnown = before.data !== undefined || before.error.code === 'broker_not_found'; // it was not published then
  return after.data && isBeforeKnown ? { ...step, facts: { before: before.data, after: after.data } } : step;
};

/**
 * Reads the facts around the first ones of the wanted changes.
 * @param steps oldest first
 */
export const readFactsAround = <Step extends StoryStep>(
  context: PageContext,
  { slug, steps }: { readonly slug: string; readonly steps: readonly Step[] },
  wanted: readonly Step[],
): Promise<(Step & Pick<StoryStep, 'facts'>)[]> => {
  const read = new Set<StoryStep>(wanted.slice(0, MOST_READ));
  return Promise.all(
    steps.map((step, at) => {
      const previous = steps[at - 1];
      return previous && read.has(step) ? readFacts(context, slug, [previous, step]) : step;
    }),
  );
};

/** Reads the facts around the changes that a story tells in detail, and tells it. */
export const readStory = async (context: PageContext, { slug, story: steps }: LastSteps): Promise<Story> => {
  const newestFirst = steps.slice(1).filter(isToBeRead).toReversed();
  const [falls, others] = [newestFirst.filter(isFall), newestFirst.filter((step) => !isFall(step))];
  const read = await readFactsAround(context, { slug, steps }, [...falls, ...others]);
  const [first] = read;
  return { items: tellStory(read), cutAt: first?.valueBefore === undefined ? undefined : first.time };
};

/** Reads the scores of a broker and its story, for one time axis. */
export const readToldStory = async (context: PageContext, slug: string) => {
  const [history, { items }] = await Promise.all([
    readScoreHistory(context, slug),
    readSteps(context, slug).then((found) => readStory(context, found)),
  ]);
  return { history, items };
};
