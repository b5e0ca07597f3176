import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { once, type Sample } from '../../platform/observe/counted.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { readBacklog } from './store.ts';

/** Counts a try to send a message. */
export type CountTry = (channel: string, outcome: string) => void;

/** Creates the counter of tries. */
export const createTryCount = (metrics: Metrics): CountTry => {
  const tries = metrics.counter<'channel' | 'outcome'>(
    'broker_rating_mail_tries_total',
    'Mails and webhooks to the operator that were tried, by channel and what came of it: sent, refused, later, unreachable.',
  );
  const find = once((channel: string) => once((outcome: string) => tries({ channel, outcome })));
  return (channel, outcome) => find(channel)(outcome)();
};

/** For how long one look at the database is used. */
const KEPT_MS = 1000;

/** Publishes how the outbox is. Every process that runs this reports the same values. */
export const watchMail = (db: Db, { register }: Metrics, clock: Clock): void => {
  type Backlog = Awaited<ReturnType<typeof readBacklog>> | undefined;
  let [known, at] = [Promise.resolve<Backlog>(undefined), Number.NEGATIVE_INFINITY];
  const look = (): Promise<Backlog> => {
    if (performance.now() - at > KEPT_MS) [known, at] = [readBacklog(db).catch(() => undefined), performance.now()];
    return known;
  };
  const metric = (name: string, help: string, value: (one: NonNullable<Backlog>) => number): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: async (): Promise<Sample[]> => {
        const backlog = await look();
        return backlog ? [{ labels: {}, value: value(backlog) }] : [];
      },
    });
  metric(
    'broker_rating_mail_waiting',
    'Mails and webhooks in the outbox that are to be sent.',
    ({ waiting }) => waiting,
  );
  metric(
    'broker_rating_mail_failed',
    'Mails and webhooks that were refused, came back, or were tried in vain.',
    ({ failed }) => failed,
  );
  metric(
    'broker_rating_mail_oldest_seconds',
    'How long the mail that waits longest has waited; 0 where none does.',
    ({ since }) => (since === null ? 0 : Math.max(0, Math.round((clock().getTime() - since.getTime()) / 1000))),
  );
};
