import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { confirmFollow, endFollow, type FollowRequest, listFollowed, requestFollow } from './actions.ts';

/** Returns the actions by which pages let people follow brokers. */
export const createFollows = (db: Db, clock: Clock) => {
  const context: Context = { actor: { type: 'system', name: 'follow' }, clock, db };
  return {
    request: (asked: FollowRequest) => requestFollow(context, asked),
    confirm: (token: string) => confirmFollow(context, token),
    list: (token: string) => listFollowed(db, token),
    end: (token: string, slug?: string) => endFollow(context, token, slug),
  };
};
