import type { ChangesPage, EnterpriseFeedChangesQuery, FeedTexts } from '@broker-transparency/client/enterprise';
import { entryKey } from '@broker-transparency/contract/record';
import type { CallContext } from './call.ts';
import { type Customer, listScopes } from './customers.ts';
import { toFeedEntry } from './log.ts';
import { CallRefusal } from './policy.ts';
import type { NumberedEntry } from './record.ts';
import { requireBroker } from './submissions.ts';
import { requireWatchlist } from './watchlists.ts';

/** A query after validation, with its defaults. */
type FeedQuery = EnterpriseFeedChangesQuery & { readonly after: number; readonly limit: number; readonly wait: number };

/**
 * Returns the subjects that a query asks for; undefined: all.
 * @throws CallRefusal `broker_not_found`, `not_found` for a watchlist
 */
const findSubjects = (customer: Customer, { broker, watchlist }: FeedQuery, { state }: CallContext) => {
  const own = broker === undefined ? undefined : [requireBroker(state, broker).slug];
  const watched = watchlist === undefined ? undefined : requireWatchlist(customer, watchlist, state).brokers;
  const slugs = own && watched ? watched.filter((slug) => own.includes(slug)) : (own ?? watched);
  return slugs && new Set(slugs.map((slug) => entryKey('broker', slug)));
};

/** Returns the number of the last entry of a page: whole changes, and `limit` wanted entries at most if possible. */
const findEnd = (
  entries: readonly NumberedEntry[],
  after: number,
  limit: number,
  isWanted: (entry: NumberedEntry) => boolean,
) => {
  let [through, count] = [after, 0];
  for (const entry of entries.slice(after + 1)) {
    if (isWanted(entry) && ++count > limit && through > after) return through;
    if (entry.number === entry.end - 1) through = entry.number;
  }
  return through;
};

const readPage = async (customer: Customer, query: FeedQuery, context: CallContext): Promise<ChangesPage> => {
  const { after, limit, kind } = query;
  const { record, log } = context.state;
  const { entries } = record;
  const end = entries.length - 1;
  if (after > end)
    throw new CallRefusal(
      'state_conflict',
      `The record ends at ${end}, so nothing can come after ${after}. If you have seen a higher number, a restore has taken entries back: go on from the last number that a checkpoint covers.`,
    );
  const subjects = findSubjects(customer, query, context);
  const isWanted = (entry: NumberedEntry): boolean =>
    (kind === undefined || entry.kind === kind) && (subjects === undefined || subjects.has(entry.subject));
  const through = findEnd(entries, after, limit, isWanted);
  const shown = entries.slice(after + 1, through + 1).filter(isWanted);
  const texts: FeedTexts = {};
  for (const { key } of shown) {
    const own = record.findTexts(key);
    if (own !== undefined) texts[key] = own;
  }
  const { size, root } = log.head(through + 1);
  return {
    after,
    through,
    isFiltered: kind !== undefined || subjects !== undefined,
    entries: shown.map(toFeedEntry),
    values: {},
    ...(listScopes(customer).includes('texts:read') ? { texts } : {}),
    tree: { size, root },
    signed: await log.cover(size, context.at),
    end,
  };
};

/**
 * Answers `feed.changes`. With `wait` the answer comes as soon as the page has an entry, or after that time.
 * @throws CallRefusal `state_conflict`, `broker_not_found`, `not_found`
 */
export const readChanges = async (customer: Customer, query: FeedQuery, context: CallContext): Promise<ChangesPage> => {
  const end = performance.now() + query.wait * 1000;
  for (;;) {
    const grown = context.state.record.waitForEntry();
    const page = await readPage(customer, query, context);
    const leftMs = end - performance.now();
    if (page.entries.length > 0 || leftMs <= 0) return page;
    await context.wait(leftMs, grown);
  }
};
