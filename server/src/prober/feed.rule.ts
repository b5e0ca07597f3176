import * as z from 'zod';
import type { ProbeResponse } from './answers.rule.ts';
import { parseResponse } from './answers.rule.ts';
import { CheckError, RollbackError } from './wrong.rule.ts';

/** A prober's position in the feed. */
export interface FeedPosition {
  /** The last number that it read. */
  readonly after: number;
  /** The last number of the record, as of an earlier minute. */
  readonly end: number;
}

const Page = z.object({
  through: z.int().min(-1),
  end: z.int().min(-1),
  entries: z.array(z.object({ number: z.int().min(0), key: z.string().max(2000), value: z.unknown() })),
  tree: z.object({ size: z.int().min(0) }),
});
/** The fields of a page of the feed that a prober needs. */
export type FeedPageFields = z.infer<typeof Page>;

/**
 * Reads a page of the whole feed after a number.
 * @throws CheckError if a number is missing, or if the page contradicts itself
 */
export const readPage = (answer: ProbeResponse, after: number): FeedPageFields => {
  const page = parseResponse('the feed', answer, Page);
  const gap = page.entries.findIndex(({ number }, at) => number !== after + 1 + at);
  if (gap >= 0) throw new CheckError(`the feed lacks number ${after + 1 + gap}`);
  if (page.through !== after + page.entries.length)
    throw new CheckError(`the feed covers ${page.through}, and its page ends at ${after + page.entries.length}`);
  if (page.tree.size !== page.through + 1)
    throw new CheckError(`the tree of the feed has ${page.tree.size} entries, not ${page.through + 1}`);
  if (page.end < page.through) throw new CheckError(`the feed says that it ends at ${page.end}, before its own page`);
  return page;
};

/**
 * Checks a page against the earlier position.
 * @throws CheckError if the record is shorter than before, or if the page lacks entries that the record had a minute
 *   ago
 */
export const requireProgress = (page: FeedPageFields, { end }: FeedPosition): void => {
  if (page.end < end) throw new RollbackError(`the record ended at ${end} and now ends at ${page.end}`);
  if (page.through < end && page.entries.length === 0)
    throw new CheckError(`the feed stops at ${page.through}, and the record had ${end} a minute ago`);
};

/** Returns the position from which to continue after a full page; undefined if the page reaches the known end. */
export const findNextPosition = (page: FeedPageFields, { end }: FeedPosition): number | undefined =>
  page.through < end ? end - 1 : undefined;

/** Returns the number of a prober's canary if it is on a page. */
export const findCanary = ({ entries }: FeedPageFields, prober: string, mark: string): number | undefined =>
  entries.find(
    ({ key, value }) =>
      key === `service-level/canary/${prober}` && (value as { mark?: unknown } | null | undefined)?.mark === mark,
  )?.number;
