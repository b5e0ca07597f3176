import type { Db } from '../../platform/mongo.ts';
import { withCurrentSlugs } from '../brokers/facts.ts';
import type { ReplyState } from './status.rule.ts';
import * as store from './store.ts';

export { countWaitingReplies, type ReplyDocument } from './store.ts';

/** Lists replies in a state, oldest first, with the current slugs of their brokers. */
export const listReplies = async (db: Db, status: ReplyState, limit: number): Promise<store.ReplyDocument[]> =>
  withCurrentSlugs(db, await store.listReplies(db, status, limit));

/** Lists the replies that wait for an operator, oldest first. */
export const listRepliesToModerate = (db: Db, limit: number): Promise<store.ReplyDocument[]> =>
  listReplies(db, 'waiting', limit);

/** Returns a reply that waits for an operator, with the current slug of its broker; undefined if it does not wait. */
export const findReplyToModerate = async (db: Db, id: string): Promise<store.ReplyDocument | undefined> =>
  (await withCurrentSlugs(db, await store.findReplies(db, id, 'waiting')))[0];

/** Lists the replies of a broker, by its keys, newest first. */
export const listRepliesOfBroker = store.listByBrokers;
