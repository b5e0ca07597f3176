import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import { exportFollowers, listFollowerIds, removeFollowers } from '../notices/followers.ts';
import * as store from './store.ts';

/**
 * The brokers that a person follows by the confirmed address of their account, and what they were told of them. An
 * erasure waits for a message that is just being sent.
 */
export const followData: PersonalDataSource = {
  name: 'follows',
  held: async ({ accountIds }, tx) => {
    const ids = await listFollowerIds(accountIds, tx);
    const { addresses, notices } = await exportFollowers(ids, tx);
    const follows = (await store.findFollows(ids, tx)).map(({ codeHash, ...follow }) => follow);
    return { follows, followAddresses: addresses, followNotices: notices };
  },
  erase: async (c, { accountIds }) => {
    const ids = await listFollowerIds(accountIds, c.tx);
    const follows = await store.findFollows(ids, c.tx);
    const { deleted, busy } = await removeFollowers(c, ids);
    if (busy.length > 0) throw createRetryError('a message to this person is being sent');
    return deleted + (await store.deleteFollows(follows, c.tx));
  },
};
