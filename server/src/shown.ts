import type { Prepared } from './http/prepared.ts';
import type { Change, ChangeListener } from './platform/changes.ts';

/** What a change makes different, by collection: the tags that stand in the contract's `shows`. */
const SHOWN: Readonly<Record<string, (change: Change) => readonly string[]>> = {
  brokers: ({ id }) => ['brokers', `broker:${id}`, `reviews:${id}`],
  regulators: () => ['regulators'],
  reviews: ({ document }) => (document ? [`reviews:${document['broker']}`] : []), // one that is gone changes its broker
  news: () => ['news'],
  moderationCounts: ({ id }) => [`moderation:${id.split(' ', 1)[0]}`],
};

/** Collections whose changes show in answers. */
export const SHOWN_COLLECTIONS: readonly string[] = Object.keys(SHOWN);

/** Keeps prepared answers current. */
export const preparedFeed = (prepared: Prepared): ChangeListener => ({
  reset: prepared.clear,
  changed: (change) => prepared.changed(SHOWN[change.collection]?.(change) ?? []),
});
