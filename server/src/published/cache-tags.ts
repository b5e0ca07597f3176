import type { RecentCredentials } from '../http/auth/recent-credentials.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { CollectionRules, Module } from '../ledger/define-module.ts';
import type { ChangeListener, DocumentChange, WatchedChange } from '../platform/changes.ts';

/**
 * Returns whether a change removes something public that must not come back: a review that is deleted or no longer
 * published (also if withheld for some days), a reply, news, or the mark of a broker. A deleted review no longer names its
 * broker. The rating month that counted it does, and changes with it. A change to a review that still waits for a
 * moderator removes nothing.
 */
const takesTextDown = ({ collection, document, removed = [], set }: DocumentChange): boolean => {
  if (collection === 'news' || collection === 'brokerMarks') return document === undefined;
  if (collection !== 'reviews') return false;
  if (document === undefined || removed.includes('reply')) return true;
  return document['status'] !== 'published' && (set?.includes('status') ?? true);
};

/** Returns the collections of which answers show something, with their rules. */
const listShown = (modules: readonly Module[]): [name: string, rules: CollectionRules][] =>
  modules.flatMap(({ collections = {} }) => Object.entries(collections).filter(([, { shows }]) => shows !== undefined));

/** Returns the filters of the change stream for changes that affect answers. */
export const listTaggedChanges = (modules: readonly Module[]): WatchedChange[] =>
  listShown(modules).map(([name, { shownChanges }]) => ({ 'ns.coll': name, ...shownChanges }));

/** Collections whose changes can invalidate a credential. A new `lastUsedAt` alone cannot. */
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
export const cacheFeed = (cache: ResponseCache, modules: readonly Module[]): ChangeListener => {
  const shown = new Map(listShown(modules));
  return {
    reset: cache.clear,
    changed: (change) => {
      cache.changed(shown.get(change.collection)?.shows?.(change) ?? []);
      if (takesTextDown(change)) cache.textTakenDown();
    },
  };
};
