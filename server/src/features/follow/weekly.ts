import { type Context, inTransaction } from '../../ledger/context.ts';
import { findPlaces, nextNumber } from '../../ledger/record/read.ts';
import type { Db } from '../../platform/mongo.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { notifyFollowers } from '../notices/followers.ts';
import type { BrokerChanges } from '../notices/kinds.rule.ts';
import * as store from './store.ts';

/** Followers whose mails are written at once. */
const BATCH = 100;
/** Entries that are read at once. */
const PAGE = 2000;
/** Kinds of entries that a weekly mail names, in its order. Warnings have their own mails. */
const NAMED = ['broker', 'license', 'complaints', 'review'] as const;

/** Returns the kinds of entries that brokers got in a part of the record, by each key that was asked for. */
const readChanges = async (db: Db, brokers: readonly string[], from: number, below: number) => {
  const find = await resolveSlugs(db, brokers);
  const keysByBroker = new Map(brokers.map((broker) => [broker, find(broker)?.keys ?? [broker]]));
  const kinds = new Map<string, Set<string>>();
  const subjects = [...new Set([...keysByBroker.values()].flat().map((key) => `broker/${key}`))];
  for (let next = from; ; ) {
    const { places } = await findPlaces(db, { subjects, from: next, below }, PAGE);
    for (const { subject, kind } of places) kinds.set(subject, (kinds.get(subject) ?? new Set()).add(kind));
    const last = places.at(-1);
    if (!last || places.length < PAGE) break;
    next = last.number + 1;
  }
  return (broker: string): BrokerChanges => {
    const all = new Set(keysByBroker.get(broker)?.flatMap((key) => [...(kinds.get(`broker/${key}`) ?? [])]));
    return { broker, kinds: NAMED.filter((kind) => all.has(kind)) };
  };
};

/** Sends each follower one mail about the week, if something changed. A run that was cut off goes on where it ended. */
export const tellWeek = async (context: Context, signal: AbortSignal): Promise<{ readonly told: number }> => {
  const { db } = context;
  const end = await nextNumber(db);
  const saved = await store.readProgress(db, 'weekly');
  const number = Math.min(saved?.number ?? end, end);
  const below = Math.min(saved?.below ?? end, end);
  let after = saved?.after ?? '';
  let told = 0;
  for (;;) {
    signal.throwIfAborted();
    const followers = await store.nextFollowed(db, after, BATCH);
    const findChanges = await readChanges(db, [...new Set(followers.flatMap(({ brokers }) => brokers))], number, below);
    after = followers.at(-1)?._id ?? after;
    told += await inTransaction(context, async (c) => {
      let count = 0;
      for (const { _id, brokers } of followers) {
        const changes = brokers.map(findChanges).filter(({ kinds }) => kinds.length > 0);
        if (changes.length > 0) count += await notifyFollowers(c, [_id], 'follow.weekly', { changes });
      }
      await store.saveProgress({ _id: 'weekly', number, below, after }, c.tx);
      return count;
    });
    if (followers.length < BATCH) break;
  }
  await inTransaction(context, (c) => store.saveProgress({ _id: 'weekly', number: below }, c.tx));
  return { told };
};
