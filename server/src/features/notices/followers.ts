import type { TxContext } from '../../ledger/context.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { hashAddress } from './address.rule.ts';
import type { FollowKind, NoticeData } from './kinds.rule.ts';
import { CODE_LASTS_MS, CODES_A_DAY, REQUESTS_AN_HOUR, URGENT_MS } from './policy.rule.ts';
import * as store from './store.ts';
import { askAddress } from './strangers.ts';
import { createNotice } from './tell.ts';

const PREFIX = 'fo';

/** Returns the id under which an address follows brokers. It does not show the address. */
export const toFollowerId = (email: string): string => `${PREFIX}_${hashAddress(email)}`;

/** A request to follow a broker, by somebody who may not have the address. */
export interface FollowerRequest {
  readonly email: string;
  /** Code of a language; another one than those of mail counts as none. */
  readonly language: string;
  /** Key of the broker. */
  readonly broker: string;
  /** The secret of the link that confirms. */
  readonly code: string;
}

/**
 * Sends the link that confirms to an address. Returns false if its mailbox has got enough of them within a day, or all
 * together within an hour, whoever asked: then nothing changes.
 */
export const askFollower = (c: TxContext, { email, language, broker, code }: FollowerRequest): Promise<boolean> => {
  const endsAt = new Date(c.now.getTime() + CODE_LASTS_MS);
  const data: NoticeData['follow.confirm'] = { broker, code, endsAt: endsAt.toISOString() };
  const most = { ofMailbox: CODES_A_DAY.sameAddress, ofAll: REQUESTS_AN_HOUR };
  return askAddress(c, { id: toFollowerId(email), email, language, code, endsAt, kind: 'follow.confirm', data, most });
};

/** Lets mail go to an address whose owner has confirmed it. */
export const confirmFollower = async (c: TxContext, id: string): Promise<void> => {
  const known = await store.findAddress(c.db, id, c.tx);
  const email = known?.pending?.email ?? known?.email;
  if (email === undefined) return;
  const set = { email, source: 'code', confirmedAt: c.now } as const;
  await store.changeAddress(id, { ...set, gone: undefined, offAt: undefined }, c.tx);
};

/** Returns the id and the link's secret of the follower of a link; undefined if it is of somebody else, or unknown. */
export const findFollower = async (tx: Tx, token: string): Promise<string | undefined> => {
  const id = (await store.findByStopToken(token, tx))?._id;
  return id?.startsWith(`${PREFIX}_`) ? id : undefined;
};

/** Returns the ids under which the confirmed addresses of accounts follow brokers. */
export const listFollowerIds = async (accountIds: readonly string[], tx: Tx): Promise<string[]> =>
  (await store.findAddresses(accountIds, tx)).flatMap(({ email }) =>
    email === undefined ? [] : [toFollowerId(email)],
  );

/** Returns those of these followers whose mailbox does not exist any more, as the answer to a mail said. */
export const listGoneFollowers = async (ids: readonly string[], tx: Tx): Promise<string[]> =>
  (await store.findAddresses(ids, tx)).flatMap(({ _id, gone }) => (gone === undefined ? [] : [_id]));

/** Tells followers, in the caller's transaction. Who wants no mail, or has no mailbox any more, is left out. */
export const notifyFollowers = async <Kind extends FollowKind>(
  c: TxContext,
  ids: readonly string[],
  kind: Kind,
  data: NoticeData[Kind],
): Promise<number> => {
  const reachable = (await store.findAddresses(ids, c.tx)).filter(
    ({ email, offAt, gone }) => email !== undefined && offAt === undefined && gone === undefined,
  );
  const isUrgent = kind !== 'follow.weekly';
  const nextTryAt = new Date(c.now.getTime() - (isUrgent ? URGENT_MS : 0));
  const notices = reachable.map(({ _id: to, language }) => ({
    ...createNotice({ kind, to, data, language }, c.now),
    nextTryAt,
  }));
  await store.insertNotices(notices, c.tx);
  return notices.length;
};

/** Returns the addresses of followers without secrets, and what they were told. */
export const exportFollowers = async (ids: readonly string[], tx: Tx) => ({
  addresses: (await store.findAddresses(ids, tx)).map(({ stopToken, hold, pending, ...address }) => address),
  notices: (await store.findNoticesTo(ids, tx)).map(({ claim, data: { code, ...data }, ...notice }) => ({
    ...notice,
    data,
  })),
});

/**
 * Ends mail to followers at once, and deletes their addresses with what is in the outbox. Returns the number of deleted
 * documents, and the ids to which a message is being sent: those are deleted later.
 */
export const removeFollowers = async (
  c: TxContext,
  ids: readonly string[],
): Promise<{ readonly deleted: number; readonly busy: readonly string[] }> => {
  const found = await store.findAddresses(ids, c.tx);
  const busy = found.filter(({ hold }) => hold !== undefined && hold.until > c.now).map(({ _id }) => _id);
  for (const id of busy) await store.changeAddress(id, { offAt: c.now }, c.tx);
  const free = ids.filter((id) => !busy.includes(id));
  let deleted = await store.deleteAddresses(free, c.tx);
  for (const id of free) deleted += await store.deleteNoticesTo(id, c.tx);
  return { deleted, busy };
};

/** Returns up to `limit` ids of followers after one, in order. */
export const nextFollowers = (db: Db, after: string, limit: number): Promise<string[]> =>
  store.nextAddresses(db, { after: after === '' ? `${PREFIX}_` : after, before: `${PREFIX}~` }, limit);
