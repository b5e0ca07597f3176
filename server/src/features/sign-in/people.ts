import type { DataSubject, PersonalDataSource } from '../../ledger/define-module.ts';
import type { Tx } from '../../platform/mongo.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import { listConfirmedAddresses, removeVisitors, toVisitorId } from '../notices/sign-in-mail.ts';
import * as store from './store.ts';

/** Leaves out the hash, which is derived from a credential. */
const exportedSession = ({ _id, ...session }: store.Session) => session;
const exportedRequest = ({ _id, linkHash, codeHash, ...request }: store.SignInRequest) => request;

/** Returns the addresses of a person by which they may sign in. */
const listAddresses = async ({ accountIds }: DataSubject, sessions: readonly store.Session[], tx: Tx) => {
  const shown = sessions.flatMap(({ verifiedEmail }) => verifiedEmail ?? []);
  return [...new Set([...shown, ...(await listConfirmedAddresses(accountIds, tx))])];
};

/**
 * The sessions in which a person is signed in, and their open requests to sign in by mail. Their erasure ends both. It
 * waits for a message that is just being sent.
 */
export const signInData: PersonalDataSource = {
  name: 'sessions',
  held: async (person, tx) => {
    const sessions = await store.findAccountSessions(person.accountIds, tx);
    const requests = await store.findRequestsTo(await listAddresses(person, sessions, tx), tx);
    return { sessions: sessions.map(exportedSession), signInRequests: requests.map(exportedRequest) };
  },
  erase: async (c, person, limit) => {
    const sessions = await store.findAccountSessions(person.accountIds, c.tx, limit);
    const emails = await listAddresses(person, sessions, c.tx);
    const requests = await store.findRequestsTo(emails, c.tx);
    const { deleted, busy } = await removeVisitors(c, emails.map(toVisitorId));
    if (busy.length > 0) throw createRetryError('a message to this person is being sent');
    const ended = await store.deleteSessions(
      sessions.map(({ _id }) => _id),
      c.tx,
    );
    const cancelled = await store.deleteRequests(
      requests.map(({ _id }) => _id),
      c.tx,
    );
    return deleted + ended + cancelled;
  },
};
