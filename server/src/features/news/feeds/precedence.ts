import type { Feed } from './feed.ts';

/** Ranks of a feed at an address, lowest first. Owning the host of the address outranks being an authority. */
const FEED_RANKS = ['other', 'authority', 'owner', 'owning_authority'] as const;
export type FeedRank = (typeof FEED_RANKS)[number];

/** The feed that brought the item at an address. Without a feed, the item gives way to no feed. */
export interface IngestedItem {
  readonly _id: string;
  readonly feed?: string | null;
  readonly standing?: FeedRank;
}

/** The keys by which an item is recognised. */
export interface ItemKeys {
  /** Hash of its address. */
  readonly id: string;
  /** Hash of the id that its feed gives it. */
  readonly entryKey: string | undefined;
  readonly standing: FeedRank;
}

/** Returns true for the host itself, with or without `www.`, and for its subdomains. */
const covers = (own: string, host: string): boolean =>
  host === own || host.endsWith(`.${own}`) || `www.${host}` === own;

/** Returns true if the address is on a host of the feed. */
const owns = ({ url, hosts }: Pick<Feed, 'url' | 'hosts'>, address: string): boolean => {
  const { hostname } = new URL(address);
  return [new URL(url).hostname, ...hosts].some((own) => covers(own, hostname));
};

export const rankFeed = (feed: Pick<Feed, 'url' | 'hosts' | 'authority'>, address: string): FeedRank => {
  if (owns(feed, address)) return feed.authority ? 'owning_authority' : 'owner';
  return feed.authority ? 'authority' : 'other';
};

/**
 * Returns true if a removed item also stays away from its owner's feed. This is false if another feed brought the item.
 */
export const isRemovedForAll = (taken: IngestedItem | undefined): boolean =>
  taken?.standing !== 'other' && taken?.standing !== 'authority';

const canBeReplaced = (
  { feed, standing }: IngestedItem,
  to: { readonly feed: string; readonly standing: FeedRank },
): boolean =>
  typeof feed === 'string' &&
  standing !== undefined &&
  feed !== to.feed &&
  FEED_RANKS.indexOf(to.standing) > FEED_RANKS.indexOf(standing);

/**
 * Returns true if the item is nothing new from this feed: it was imported, or it was taken or removed and does not give
 * way to this feed.
 */
export const isKnown = (
  { id, entryKey, standing }: ItemKeys,
  feed: string,
  taken: ReadonlyMap<string, IngestedItem>,
  present: ReadonlySet<string>,
): boolean => {
  if (entryKey !== undefined && taken.has(entryKey)) return true;
  const earlier = taken.get(id);
  return earlier === undefined ? present.has(id) : !canBeReplaced(earlier, { feed, standing });
};
