import { type AtomFeed, parseFeed, type RdfFeed, type RssFeed } from 'feedsmith';

/** An item with its texts as the feed gives them. */
export interface NewsFeedEntry {
  readonly guid: string | undefined;
  readonly link: string | undefined;
  readonly title: string;
  readonly markup: string;
  readonly date: string | undefined;
}

/**
 * A document that is not a feed. The message continues the address. Only the outcome of its own feed's pull reports it:
 * it stops no other feed and is not thrown to callers of the pull.
 */
export class UnreadableFeed extends Error {}

const filled = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && text.trim() !== '')?.trim();

type Link = NonNullable<AtomFeed.Entry<string>['links']>[number];

/** Returns the address of the page that an entry is about, not of the entry itself, an attachment or its comments. */
const pageLink = (links: readonly Link[] = []): string | undefined => {
  const pages = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  return filled((pages.find(({ type }) => type === 'text/html') ?? pages[0])?.href);
};

/** Returns an id only if it is an absolute address. Any other would resolve to an address of the feed itself. */
const asAddress = (id: string | undefined): string | undefined => (/^https?:/i.test(id?.trim() ?? '') ? id : undefined);

const fromRss = (item: RssFeed.Item<string>): NewsFeedEntry => ({
  guid: filled(item.guid?.value),
  link: filled(
    item.link,
    pageLink(item.atom?.links),
    item.guid?.isPermaLink === false ? undefined : asAddress(item.guid?.value),
  ),
  title: item.title ?? '',
  markup: filled(item.description, item.content?.encoded) ?? '',
  date: filled(item.pubDate, item.dc?.dates?.[0], item.atom?.published, item.atom?.updated),
});

const fromRdf = (item: RdfFeed.Item<string>): NewsFeedEntry => ({
  guid: filled(item.rdf?.about),
  link: filled(item.link, asAddress(item.rdf?.about)),
  title: item.title ?? '',
  markup: filled(item.description, item.content?.encoded) ?? '',
  date: filled(item.dc?.dates?.[0]),
});

const fromAtom = (entry: AtomFeed.Entry<string>): NewsFeedEntry => ({
  guid: filled(entry.id),
  link: pageLink(entry.links),
  title: entry.title?.value ?? '',
  markup: filled(entry.summary?.value, entry.content?.value) ?? '',
  date: filled(entry.published, entry.updated),
});

/** Refuses documents that declare entities. Feeds never need them, and most attacks on XML readers start with them. */
const refuseEntities = (text: string): void => {
  const root = text.search(/<([\w-]+:)?(rss|feed|rdf)[\s>]/i);
  let inDoctype = false;
  // one match at a time: a pattern that looks ahead from each DOCTYPE takes minutes for a megabyte of them
  for (const [sign] of text.slice(0, root < 0 ? 10_000 : root).matchAll(/<!ENTITY|<!DOCTYPE|[>[]/gi)) {
    if (/^<!ENTITY$/i.test(sign) || (inDoctype && sign === '['))
      throw new UnreadableFeed('declares entities of its own, which no feed needs');
    inDoctype = sign !== '>' && (inDoctype || sign !== '[');
  }
};

const isHtml = (text: string): boolean => /^\uFEFF?\s*(<!doctype html|<html[\s>])/i.test(text.slice(0, 1000));

/** Returns the items of an RSS (0.9 to 2.0, RDF) or Atom document, in its order. @throws UnreadableFeed */
export const readEntries = (text: string): NewsFeedEntry[] => {
  if (text.trim() === '') throw new UnreadableFeed('is empty');
  if (isHtml(text)) throw new UnreadableFeed('is a web page, not a feed');
  refuseEntities(text);
  let parsed: ReturnType<typeof parseFeed<string>>;
  try {
    parsed = parseFeed<string>(text);
  } catch (error) {
    const known = /<([\w-]+:)?(rss|feed|rdf)[\s>]/i.test(text);
    throw new UnreadableFeed(known ? 'is broken XML' : 'is neither RSS nor Atom', { cause: error });
  }
  if (parsed.format === 'rss') return (parsed.feed.items ?? []).map(fromRss);
  if (parsed.format === 'rdf') return (parsed.feed.items ?? []).map(fromRdf);
  if (parsed.format === 'atom') return (parsed.feed.entries ?? []).map(fromAtom);
  throw new UnreadableFeed('is neither RSS nor Atom');
};
