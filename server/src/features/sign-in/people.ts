import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import { findAccountIn } from '../accounts/facts.ts';
import { parseLinkSubject } from '../accounts/link-subject.rule.ts';
import { exportVisitors, removeVisitors, toVisitorId } from '../notices/sign-in-mail.ts';
import * as store from './store.ts';

/** Leaves out the hash, which is derived from a credential. */
const exportedSession = ({ _id, ...session }: store.Session) => session;
const exportedRequest = ({ _id, linkHash, codeHash, ...request }: store.SignInRequest) => request;

/**
 * The sessions in which a person is signed in, and their open requests to sign in by mail. Their erasure ends both. It
 * waits for a message that is just being sent.
 */
export const signInData: PersonalDataSource = {
  name: 'sessions',
  findAddresses: async (accountIds, tx) => {
    const shown = (await store.findAccountSessions(accountIds, tx)).map(({ verifiedEmail }) => verifiedEmail);
    for (const id of accountIds) shown.push(parseLinkSubject((await findAccountIn(id, tx))?.subject ?? ''));
    return shown.filter((address) => address !== undefined);
  },
  held: async ({ accountIds, addresses }, tx) => {
    const sessions = await store.findAccountSessions(accountIds, tx);
    const requests = await store.findRequestsTo(addresses, tx);
    const visitors = await exportVisitors(addresses.map(toVisitorId), tx);
    return {
      sessions: sessions.map(exportedSession),
      signInRequests: requests.map(exportedRequest),
      signInAddresses: visitors.addresses,
      signInNotices: visitors.notices,
    };
  },
  erase: async (c, person, limit) => {
    const sessions = await store.findAccountSessions(person.accountIds, c.tx, limit);
    const requests = await store.findRequestsTo(person.addresses, c.tx);
    const { deleted, busy } = await removeVisitors(c, person.addresses.map(toVisitorId));
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
