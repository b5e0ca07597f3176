import { Language, NewsItem, Text, WebUrl } from '@broker-transparency/contract';
import * as z from 'zod';

/** A feed that is read, and what is known of it that it does not say itself. */
export const Feed = z.strictObject({
  url: WebUrl,
  /** Who publishes it: stands in every item. */
  source: NewsItem.shape.source,
  language: Language,
  /** Of its items, unless their words say otherwise. */
  category: NewsItem.shape.category,
  severity: NewsItem.shape.severity.default('info'),
  /** Under which terms its items may be shown, for operators. */
  licence: Text(1, 200).optional(),
  attribution: Text(1, 300).optional(),
});
export type Feed = z.infer<typeof Feed>;

const repeated = (feeds: readonly Feed[], ctx: z.RefinementCtx): void => {
  for (const [index, { url }] of feeds.entries())
    if (feeds.findIndex((feed) => feed.url === url) < index)
      ctx.addIssue({ code: 'custom', path: [index, 'url'], message: 'must not repeat an earlier feed' });
};

const Feeds = z
  .array(Feed, 'must be a list of feeds')
  .min(1, 'must have at least one feed')
  .max(200, 'must have at most 200 feeds')
  .superRefine(repeated);

/** A list of feeds that cannot be used. The message names each place. */
export class FeedsFault extends Error {}

const placeOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the file'
    : path.map((part) => (typeof part === 'number' ? `feed ${part + 1}` : String(part))).join(', ');

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FeedsFault(`is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
};

/** @throws FeedsFault */
export const parseFeeds = (text: string): Feed[] => {
  const result = Feeds.safeParse(parseJson(text));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
  throw new FeedsFault([...new Set(faults)].join('; '));
};
