import type { RecentCredentials } from '../http/auth/recent-credentials.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { ChangeListener, DocumentChange, WatchedChange } from '../platform/changes.ts';

/** Cache tags that a change affects, by collection. They are the tags under `shows` in the contract. */
const SHOWN: Readonly<Record<string, (change: DocumentChange) => readonly string[]>> = {
  brokers: ({ id }) => ['brokers', `broker:${id}`, `reviews:${id}`],
  regulators: () => ['regulators'],
  reviews: ({ document }) => (document ? [`reviews:${document['broker']}`] : []),
  ratingMonths: ({ id }) => [`reviews:${id.split(' ', 1)[0]}`],
  news: () => ['news'],
  operators: () => ['operators'],
  moderationCounts: ({ id }) => [`moderation:${id.split(' ', 1)[0]}`],
};

/** Leaves out inserted reviews: a new one waits for a moderator and is not shown yet. */
const MOVED = { operationType: { $ne: 'insert' } };

/**
 * Returns whether a change takes a text from the public: a review that is deleted or no longer published (one that is
 * withheld for some days as well), a reply, or news. A deleted review no longer names its broker. The rating month that
 * it counted in does, and changes with it. A change to a review that still waits for a moderator takes nothing down.
 */
const takesTextDown = ({ collection, document, removed = [], set }: DocumentChange): boolean => {
  if (collection === 'news') return document === undefined;
  if (collection !== 'reviews') return false;
  if (document === undefined || removed.includes('reply')) return true;
  return document['status'] !== 'published' && (set?.includes('status') ?? true);
};

/** Filters of the change stream for changes that affect answers. */
export const TAGGED_CHANGES: readonly WatchedChange[] = Object.keys(SHOWN).map((name) => ({
  'ns.coll': name,
  ...(name === 'reviews' ? MOVED : {}),
}));

/** Collections whose changes can make a credential invalid. A new `lastUsedAt` alone is not such a change. */
const CREDENTIALS = new Set(['accounts', 'tokens']);
export const CREDENTIAL_CHANGES: readonly WatchedChange[] = [...CREDENTIALS].map((name) => ({
  'ns.coll': name,
  operationType: { $ne: 'insert' },
  'updateDescription.updatedFields.lastUsedAt': { $exists: false },
}));

/** Returns a listener that forgets credentials that have changed. */
export const credentialFeed = (recent: RecentCredentials): ChangeListener => ({
  reset: recent.forgetAll,
  changed: ({ collection, id }) => {
    if (CREDENTIALS.has(collection)) recent.forget(id);
  },
});

/** Returns a listener that drops stale answers from the response cache. */
export const cacheFeed = (cache: ResponseCache): ChangeListener => ({
  reset: cache.clear,
  changed: (change) => {
    cache.changed(SHOWN[change.collection]?.(change) ?? []);
    if (takesTextDown(change)) cache.textTakenDown();
  },
});
