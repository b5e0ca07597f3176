import { type Context, inTransaction } from '../../ledger/context.ts';
import { listEndedSessions } from '../sign-in/facts.ts';
import * as store from './store.ts';

/** Deletes drafts that are too old, and drafts of complaints whose session has ended. */
export const cleanUpDrafts = async (context: Context, signal: AbortSignal) => {
  const old = await inTransaction(context, ({ tx, now }) => store.deleteEndedDrafts(now, tx));
  let ofEndedSessions = 0;
  const sessions = await store.listSessions(context.db);
  for (const session of await listEndedSessions(context.db, sessions, context.clock())) {
    signal.throwIfAborted();
    ofEndedSessions += await inTransaction(context, ({ tx }) => store.deleteSessionDrafts(session, tx));
  }
  return { old, ofEndedSessions };
};
