import { type Context, inTransaction } from '../../ledger/context.ts';
import { noteEnded } from '../erasures/ended.ts';
import { listGoneFollowers, nextFollowers, removeFollowers } from '../notices/followers.ts';
import { CODE_LASTS_MS } from '../notices/policy.rule.ts';
import * as store from './store.ts';

/** Followers that one transaction looks at. */
const BATCH = 200;

/**
 * Deletes requests that nobody confirmed in time, what mailboxes follow that do not exist any more, and the addresses
 * that follow nobody.
 */
export const cleanUp = async (context: Context, signal: AbortSignal) => {
  const requests = await inTransaction(context, (c) =>
    store.deleteUnconfirmed(new Date(c.now.getTime() - CODE_LASTS_MS), c.tx),
  );
  let addresses = 0;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const ids = await nextFollowers(context.db, after, BATCH);
    addresses += await inTransaction(context, async (c) => {
      const follows = await store.findFollows(ids, c.tx);
      const gone = new Set(await listGoneFollowers(ids, c.tx));
      const ended = follows.filter(({ follower }) => gone.has(follower));
      await store.deleteFollows(ended, c.tx);
      await noteEnded(
        c,
        ended.map(({ _id }) => _id),
        'retention_ended',
      );
      const used = new Set(follows.map(({ follower }) => follower).filter((id) => !gone.has(id)));
      const idle = ids.filter((id) => !used.has(id));
      const { busy } = await removeFollowers(c, idle);
      return idle.length - busy.length;
    });
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) break;
    after = last;
  }
  return { requests, addresses };
};
