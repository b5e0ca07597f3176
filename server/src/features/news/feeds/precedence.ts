import type { Feed } from './feed.ts';

/** What a feed's words count at an address, least first: the address belongs to its host, then comes who is an authority. */
const STANDINGS = ['other', 'authority', 'owner', 'owning_authority'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Whose words were taken for an address. Without a feed they stand against every feed. */
export interface Taken {
  readonly _id: string;
  readonly feed?: string | null;
  readonly standing?: Standing;
}

/** What an item is known again by. */
export interface ItemKeys {
  /** Of its address. */
  readonly id: string;
  /** Of the id that its feed gives it. */
  readonly entryKey: string | undefined;
  readonly standing: Standing;
}

/** The host itself, with `www.` or without, and what is under it. */
const covers = (own: string, host: string): boolean =>
  host === own || host.endsWith(`.${own}`) || `www.${host}` === own;

/** Whether an address is of a host of the feed. */
const owns = ({ url, hosts }: Pick<Feed, 'url' | 'hosts'>, address: string): boolean => {
  const { hostname } = new URL(address);
  return [new URL(url).hostname, ...hosts].some((own) => covers(own, hostname));
};

export const standingOf = (feed: Pick<Feed, 'url' | 'hosts' | 'authority'>, address: string): Standing => {
  if (owns(feed, address)) return feed.authority ? 'owning_authority' : 'owner';
  return feed.authority ? 'authority' : 'other';
};

/** Whether an item that is removed stays away from its owner too: not where the words were another's. */
export const endsForAll = (taken: Taken | undefined): boolean =>
  taken?.standing !== 'other' && taken?.standing !== 'authority';

const givesWay = ({ feed, standing }: Taken, to: { readonly feed: string; readonly standing: Standing }): boolean =>
  typeof feed === 'string' &&
  standing !== undefined &&
  feed !== to.feed &&
  STANDINGS.indexOf(to.standing) > STANDINGS.indexOf(standing);

/** Whether a feed brings nothing new with an item: it was taken or removed, and nothing gives way to this feed; or it was imported. */
export const isKnown = (
  { id, entryKey, standing }: ItemKeys,
  feed: string,
  taken: ReadonlyMap<string, Taken>,
  present: ReadonlySet<string>,
): boolean => {
  if (entryKey !== undefined && taken.has(entryKey)) return true;
  const earlier = taken.get(id);
  return earlier === undefined ? present.has(id) : !givesWay(earlier, { feed, standing });
};
