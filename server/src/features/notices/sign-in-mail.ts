import type { TxContext } from '../../ledger/context.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { hashAddress } from './address.rule.ts';
import { exportFollowers, removeFollowers } from './followers.ts';
import type { NoticeData } from './kinds.rule.ts';
import { SIGN_IN_LINKS } from './policy.rule.ts';
import * as store from './store.ts';
import { askAddress } from './strangers.ts';

const PREFIX = 'si';

/** Returns the id under which links to sign in go to an address. It does not show the address. */
export const toVisitorId = (email: string): string => `${PREFIX}_${hashAddress(email)}`;

/** A link to sign in, for somebody who says that they have an address. */
interface SignInMail {
  readonly email: string;
  /** Code of a language; another one than those of mail counts as none. */
  readonly language: string;
  /** The secret of the link. */
  readonly code: string;
  readonly endsAt: Date;
  /** Key of the network address that asks. */
  readonly asker: string;
  /** Called if so many links went out within an hour that nobody gets one. */
  readonly onFull: () => void;
}

/** Mails a link to sign in. Returns false, and changes nothing, if there were too many within a day or an hour. */
export const mailSignInLink = (
  c: TxContext,
  { email, language, code, endsAt, asker, onFull }: SignInMail,
): Promise<boolean> => {
  const data: NoticeData['sign-in.link'] = { code, endsAt: endsAt.toISOString() };
  const id = toVisitorId(email);
  const limits = { most: SIGN_IN_LINKS, asker, onFull };
  return askAddress(c, { id, email, language, code, endsAt, kind: 'sign-in.link', data, ...limits });
};

/** Deletes what is kept of these addresses for signing in. Returns as `removeFollowers`. */
export const removeVisitors = removeFollowers;

/** Returns what is kept of these addresses for signing in. Returns as `exportFollowers`. */
export const exportVisitors = exportFollowers;

/** Returns up to `limit` ids of addresses after one, in order, with the end of the last link that went there. */
export const nextVisitors = async (db: Db, after: string, limit: number) => {
  const range = { after: after === '' ? `${PREFIX}_` : after, before: `${PREFIX}~` };
  return store.nextAddresses(db, range, limit);
};

/** Returns the ids among these whose last link ended before a time. */
export const findIdleVisitors = async (ids: readonly string[], before: Date, tx: Tx): Promise<string[]> =>
  (await store.findAddresses(ids, tx))
    .filter(({ pending }) => pending === undefined || pending.endsAt < before)
    .map(({ _id }) => _id);
