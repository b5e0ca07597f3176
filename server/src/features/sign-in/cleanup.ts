import { type Context, inTransaction } from '../../ledger/context.ts';
import { findIdleVisitors, nextVisitors, removeVisitors } from '../notices/sign-in-mail.ts';
import * as store from './store.ts';

/** Addresses that one transaction looks at. */
const BATCH = 200;

/** How long an address is kept after its last link, so that its mails of a day can be counted. */
const COUNTED_MS = 86_400_000;

/** Deletes requests that are over, and addresses to which no link has gone within a day. */
export const cleanUp = async (context: Context, signal: AbortSignal) => {
  const requests = await inTransaction(context, (c) => store.deleteOldRequests(c.now, c.tx));
  let addresses = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted();
    const ids: string[] = await nextVisitors(context.db, after, BATCH);
    addresses += await inTransaction(context, async (c) => {
      const idle = await findIdleVisitors(ids, new Date(c.now.getTime() - COUNTED_MS), c.tx);
      const { busy } = await removeVisitors(c, idle);
      return idle.length - busy.length;
    });
    after = ids.length < BATCH ? undefined : ids.at(-1);
  }
  return { requests, addresses };
};
