import { randomBytes } from 'node:crypto';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { hashToHex } from '../../platform/sha256.rule.ts';
import { requireBroker, resolveSlugs } from '../brokers/facts.ts';
import { noteEnded } from '../erasures/ended.ts';
import { mailAddress } from '../notices/address.rule.ts';
import {
  askFollower,
  confirmFollower,
  findFollower,
  listFollowerIds,
  removeFollowers,
  toFollowerId,
} from '../notices/followers.ts';
import { CODE_LASTS_MS } from '../notices/policy.rule.ts';
import { MOST_FOLLOWED } from './policy.rule.ts';
import * as store from './store.ts';

/** A request to follow a broker by mail. */
export interface FollowRequest {
  readonly address: string;
  readonly slug: string;
  /** Code of a language. */
  readonly language: string;
}

/**
 * Asks the owner of an address whether it shall follow a broker. The result tells only whether the text is an address:
 * one that follows the broker already, or has got enough mails today, gets none.
 * @throws DomainError broker_not_found
 */
export const requestFollow = async (
  context: Context,
  { address, slug, language }: FollowRequest,
): Promise<'asked' | 'no_address'> => {
  const email = mailAddress(address);
  if (email === undefined) return 'no_address';
  const { key, keys } = await requireBroker(context.db, slug);
  const follower = toFollowerId(email);
  await inTransaction(context, async (c) => {
    const known = await store.findFollows([follower], c.tx);
    const same = known.find(({ broker }) => keys.includes(broker));
    if (same?.confirmedAt || (!same && known.length >= MOST_FOLLOWED)) return;
    const code = randomBytes(20).toString('hex');
    if (!(await askFollower(c, { email, language, broker: key, code }))) return;
    const id = `f_${randomBytes(12).toString('hex')}`;
    const request = { _id: id, follower, broker: same?.broker ?? key, createdAt: c.now, codeHash: hashToHex(code) };
    await store.saveRequest(request, c.tx);
  });
  return 'asked';
};

/** Confirms the request of a link. Returns false if the link is unknown, was used, or is too old. */
export const confirmFollow = (context: Context, code: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const request = await store.findByCode(hashToHex(code), c.tx);
    if (!request || request.createdAt.getTime() + CODE_LASTS_MS < c.now.getTime()) return false;
    await store.confirmRequest(request._id, c.now, c.tx);
    await confirmFollower(c, request.follower);
    return true;
  });

/** A broker that somebody follows. */
export interface FollowedBroker {
  readonly slug: string;
  readonly name: string;
}

/** Returns the brokers that these follow, each once. */
const listBrokers = async (tx: Tx, followers: readonly string[]): Promise<readonly FollowedBroker[]> => {
  const follows = (await store.findFollows(followers, tx)).filter(({ confirmedAt }) => confirmedAt);
  const keys = follows.map(({ broker }) => broker);
  const find = await resolveSlugs(tx.db, keys);
  const found = new Map(keys.flatMap((key) => find(key) ?? []).map(({ slug, name }) => [slug, { slug, name }]));
  return [...found.values()];
};

/** Returns the brokers that the owner of a link follows; undefined if the link is unknown. */
export const listFollowed = (db: Db, token: string): Promise<readonly FollowedBroker[] | undefined> =>
  snapshot(db, async (tx) => {
    const follower = await findFollower(tx, token);
    return follower === undefined ? undefined : listBrokers(tx, [follower]);
  });

/** Returns the brokers that an account follows by its confirmed address. */
export const listAccountFollows = (db: Db, accountId: string): Promise<readonly FollowedBroker[]> =>
  snapshot(db, async (tx) => listBrokers(tx, await listFollowerIds([accountId], tx)));

/** Ends what these follow: one broker, or all. With the last one, all that is kept of the address is deleted. */
const endFollows = async (c: TxContext, followers: readonly string[], slug: string | undefined): Promise<void> => {
  const follows = await store.findFollows(followers, c.tx);
  const keys = slug === undefined ? undefined : (await resolveSlugs(c.db, [slug]))(slug)?.keys;
  const ended = follows.filter(({ broker }) => slug === undefined || keys?.includes(broker));
  await store.deleteFollows(ended, c.tx);
  await noteEnded(
    c,
    ended.map(({ _id }) => _id),
    'requested',
  );
  if (ended.length === follows.length) await removeFollowers(c, followers);
};

/** Ends what the owner of a link follows. Returns false if the link is of nobody who follows brokers. */
export const endFollow = (context: Context, token: string, slug?: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const follower = await findFollower(c.tx, token);
    if (follower === undefined) return false;
    await endFollows(c, [follower], slug);
    return true;
  });

/** Ends that an account follows a broker by its confirmed address. */
export const endAccountFollow = (context: Context, accountId: string, slug: string): Promise<void> =>
  inTransaction(context, async (c) => endFollows(c, await listFollowerIds([accountId], c.tx), slug));
