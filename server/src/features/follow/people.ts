import type { DataSubject, PersonalDataSource } from '../../ledger/define-module.ts';
import type { Tx } from '../../platform/mongo.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import { mailAddress } from '../notices/address.rule.ts';
import { exportFollowers, removeFollowers, toFollowerId } from '../notices/followers.ts';
import * as store from './store.ts';

/** Returns the follows with these ids, and the followers whose account or follow has one of them. */
const findOwn = async ({ accountIds: ids, addresses }: DataSubject, tx: Tx) => {
  const named = await store.findFollowsById(ids, tx);
  const byAccount = addresses.map(toFollowerId);
  return { named, byAccount, followers: [...new Set([...byAccount, ...named.map(({ follower }) => follower)])] };
};

/**
 * The brokers that a person follows, and what they were told of them: by an address that their account is known to
 * have, or by ids of single follows, which stand for somebody without an account. A follow that was ended has such an
 * erasure, too, so that no backup brings it back. An erasure waits for a message that is just being sent.
 */
export const followData: PersonalDataSource = {
  name: 'follows',
  findByAddress: async (address, tx) => {
    const email = mailAddress(address);
    return email === undefined ? [] : (await store.findFollows([toFollowerId(email)], tx)).map(({ _id }) => _id);
  },
  held: async (person, tx) => {
    const { followers } = await findOwn(person, tx);
    const { addresses, notices } = await exportFollowers(followers, tx);
    const follows = (await store.findFollows(followers, tx)).map(({ codeHash, ...follow }) => follow);
    return { follows, followAddresses: addresses, followNotices: notices };
  },
  erase: async (c, person) => {
    const { named, byAccount, followers } = await findOwn(person, c.tx);
    const all = await store.findFollows(followers, c.tx);
    const ending = new Set(named.map(({ _id }) => _id));
    const isEnding = ({ _id, follower }: store.Follow): boolean => ending.has(_id) || byAccount.includes(follower);
    const staying = new Set(all.filter((one) => !isEnding(one)).map(({ follower }) => follower));
    const leaving = followers.filter((follower) => !staying.has(follower));
    const { deleted, busy } = await removeFollowers(c, leaving);
    if (busy.length > 0) throw createRetryError('a message to this person is being sent');
    return deleted + (await store.deleteFollows(all.filter(isEnding), c.tx));
  },
};
