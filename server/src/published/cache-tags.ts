import type { RecentCredentials } from '../http/auth/recent-credentials.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { Change, ChangeListener, WatchedChange } from '../platform/changes.ts';

/** What a change makes different, by collection: the tags that stand in the contract's `shows`. */
const SHOWN: Readonly<Record<string, (change: Change) => readonly string[]>> = {
  brokers: ({ id }) => ['brokers', `broker:${id}`, `reviews:${id}`],
  regulators: () => ['regulators'],
  reviews: ({ document }) => (document ? [`reviews:${document['broker']}`] : []),
  ratingMonths: ({ id }) => [`reviews:${id.split(' ', 1)[0]}`],
  news: () => ['news'],
  moderationCounts: ({ id }) => [`moderation:${id.split(' ', 1)[0]}`],
};

/**
 * Reviews are new while they wait for a moderator: what shows is a move between. One that is gone no longer says whose it was: the
 * month it counted in does, at once; its broker's document may have to wait.
 */
const MOVED = { operationType: { $nin: ['insert', 'delete'] } };

/** Changes that show in answers, as the database is asked for them. */
export const TAGGED_CHANGES: readonly WatchedChange[] = Object.keys(SHOWN).map((name) => ({
  'ns.coll': name,
  ...(name === 'reviews' ? MOVED : {}),
}));

/** Changes after which a credential may no longer be what it was; that it was used is none. */
const CREDENTIALS = new Set(['accounts', 'tokens']);
export const CREDENTIAL_CHANGES: readonly WatchedChange[] = [...CREDENTIALS].map((name) => ({
  'ns.coll': name,
  operationType: { $ne: 'insert' },
  'updateDescription.updatedFields.lastUsedAt': { $exists: false },
}));

/** Forgets credentials that have changed. */
export const credentialFeed = (recent: RecentCredentials): ChangeListener => ({
  reset: recent.forgetAll,
  changed: ({ collection, id }) => {
    if (CREDENTIALS.has(collection)) recent.forget(id);
  },
});

/** Keeps cache answers current. */
export const cacheFeed = (cache: ResponseCache): ChangeListener => ({
  reset: cache.clear,
  changed: (change) => cache.changed(SHOWN[change.collection]?.(change) ?? []),
});
