import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { memoize, type Sample } from '../../platform/observe/counted.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { readBacklog } from './store.ts';

/** Counts a try to send a message. */
export type CountAttempt = (channel: string, outcome: string) => void;

/** Creates the counter of tries. */
export const createAttemptCounter = (metrics: Metrics): CountAttempt => {
  const tries = metrics.counter<'channel' | 'outcome'>(
    'broker_rating_mail_tries_total',
    'Tries to send mails and webhooks to the operator, by channel and outcome: sent, refused, later, unreachable.',
  );
  const find = memoize((channel: string) => memoize((outcome: string) => tries({ channel, outcome })));
  return (channel, outcome) => find(channel)(outcome)();
};

/** Milliseconds for which one reading of the database is used. */
const KEPT_MS = 1000;

/** Publishes how the outbox is. Every process that runs this reports the same values. */
export const registerMailMetrics = (db: Db, { register }: Metrics, clock: Clock): void => {
  type MailBacklog = Awaited<ReturnType<typeof readBacklog>> | undefined;
  let [known, at] = [Promise.resolve<MailBacklog>(undefined), Number.NEGATIVE_INFINITY];
  const readCachedBacklog = (): Promise<MailBacklog> => {
    if (performance.now() - at > KEPT_MS) [known, at] = [readBacklog(db).catch(() => undefined), performance.now()];
    return known;
  };
  const registerGauge = (name: string, help: string, value: (one: NonNullable<MailBacklog>) => number): void =>
    register({
      name,
      help,
      type: 'gauge',
      read: async (): Promise<Sample[]> => {
        const backlog = await readCachedBacklog();
        return backlog ? [{ labels: {}, value: value(backlog) }] : [];
      },
    });
  registerGauge(
    'broker_rating_mail_waiting',
    'Mails and webhooks in the outbox that are to be sent.',
    ({ waiting }) => waiting,
  );
  registerGauge(
    'broker_rating_mail_failed',
    'Mails and webhooks that failed: refused, returned, or given up.',
    ({ failed }) => failed,
  );
  registerGauge(
    'broker_rating_mail_oldest_seconds',
    'How long the mail that waits longest has waited; 0 where none does.',
    ({ since }) => (since === null ? 0 : Math.max(0, Math.round((clock().getTime() - since.getTime()) / 1000))),
  );
};
