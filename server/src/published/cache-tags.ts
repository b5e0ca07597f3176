import type { RecentCredentials } from '../http/auth/recent-credentials.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { CollectionRules, Module } from '../ledger/define-module.ts';
import type { ChangeListener, WatchedChange } from '../platform/changes.ts';

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
      const rules = shown.get(change.collection);
      cache.changed(rules?.shows?.(change) ?? []);
      if (rules?.takesTextDown?.(change)) cache.textTakenDown();
    },
  };
};
