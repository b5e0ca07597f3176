import { WebUrl } from '@broker-transparency/contract';
import { NewsRecord, newsId } from '../record.rule.ts';
import { classify } from './classify.ts';
import { findDateText, parseDate } from './dates.ts';
import type { NewsFeedEntry } from './entries.ts';
import { cut, plainText } from './excerpt.ts';
import type { Feed } from './feed.ts';
import { entryKey } from './key.ts';
import type { Mentions } from './mentions.ts';
import { LIMITS } from './policy.rule.ts';
import { type ItemKeys, rankFeed } from './precedence.ts';

/** An item of a feed that has an address and a time. */
export interface FeedCandidate extends ItemKeys {
  readonly entry: NewsFeedEntry;
  readonly url: string;
  readonly publishedAt: Date;
  /** Present if the feed gives no readable date: the time is when the item was first seen. */
  readonly dating?: 'seen';
}

/** An item that is refused, with the reason. */
export interface ItemRefusal {
  readonly item: string;
  readonly reason: string;
}

export interface SortedItems {
  readonly candidates: FeedCandidate[];
  readonly refused: ItemRefusal[];
  /** Number of items with a date in the future. */
  readonly waiting: number;
  /** Number of items beyond the limit of one pull. */
  readonly leftOut: number;
}

/** Returns a label on one line by which an operator can find the item. */
const formatLabel = ({ guid, link, title }: NewsFeedEntry, index: number): string =>
  cut([title, guid ?? '', link ?? ''].map(plainText).find((text) => text !== '') ?? `item ${index + 1}`, 80);

const resolveAddress = (link: string | undefined, base: string): string | undefined => {
  const url = link === undefined ? null : URL.parse(link, base);
  return url !== null && WebUrl.safeParse(url.href).success ? url.href : undefined;
};

interface FeedContext {
  readonly feed: Feed;
  /** Address of the document, for relative links. */
  readonly base: string;
  readonly now: Date;
}

const toCandidate = (entry: NewsFeedEntry, { feed, base, now }: FeedContext): FeedCandidate | string => {
  const url = resolveAddress(entry.link, base);
  if (url === undefined) return entry.link === undefined ? 'has no address' : 'has an address that is no web page';
  const dated = parseDate(entry.date ?? '') ?? parseDate(findDateText(entry.markup) ?? '');
  return {
    entry,
    url,
    ...(dated === undefined ? { publishedAt: now, dating: 'seen' as const } : { publishedAt: dated }),
    id: newsId(url),
    entryKey: entry.guid === undefined ? undefined : entryKey(feed.url, entry.guid),
    standing: rankFeed(feed, url),
  };
};

/** Sorts items, newest first. An item from the future waits until its date. */
export const sortEntries = (entries: readonly NewsFeedEntry[], place: FeedContext): SortedItems => {
  const refused: ItemRefusal[] = [];
  const candidates: FeedCandidate[] = [];
  let waiting = 0;
  for (const [index, entry] of entries.entries()) {
    const candidate = toCandidate(entry, place);
    if (typeof candidate === 'string') refused.push({ item: formatLabel(entry, index), reason: candidate });
    else if (candidate.publishedAt > place.now) waiting++;
    else candidates.push(candidate);
  }
  candidates.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());
  const leftOut = Math.max(0, candidates.length - LIMITS.items);
  return { candidates: candidates.slice(0, LIMITS.items), refused, waiting, leftOut };
};

interface FeedReading {
  readonly feed: Feed;
  readonly mentionsIn: (texts: readonly string[], language: string) => Mentions;
  /** True if some bytes of the document could not be decoded. */
  readonly lossy: boolean;
}

/** Returns the news record of an item, or why it is refused. */
export const toRecord = (
  { entry, url, publishedAt, dating }: FeedCandidate,
  reading: FeedReading,
): NewsRecord | ItemRefusal => {
  const { feed, mentionsIn, lossy } = reading;
  const refuse = (reason: string): ItemRefusal => ({ item: formatLabel(entry, 0), reason });
  if (lossy && `${entry.title}${entry.markup}`.includes('\uFFFD'))
    return refuse('has bytes that are not in its charset');
  const title = plainText(entry.title);
  if (title === '') return refuse('has no title');
  const text = plainText(entry.markup);
  const spokenFor = feed.regulator === undefined ? [] : [feed.regulator];
  const mentions = mentionsIn([title, text, feed.source], feed.language);
  const result = NewsRecord.safeParse({
    title: cut(title, LIMITS.title),
    summary: cut(text || title, LIMITS.summary),
    url,
    source: feed.source,
    ...classify(title, feed),
    brokerSlugs: mentions.brokerSlugs.slice(0, LIMITS.links),
    regulatorCodes: [...new Set([...spokenFor, ...mentions.regulatorCodes])].slice(0, LIMITS.links),
    language: feed.language,
    publishedAt: publishedAt.toISOString(),
    ...(dating === undefined ? {} : { dating }),
  });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return refuse(`${issue?.path.join('.')} ${issue?.message}`);
};
