import { randomUUID } from 'node:crypto';
import { createDeliveryEngine } from '../../platform/delivery/engine.ts';
import type { Db } from '../../platform/mongo.ts';
import { AT_ONCE, LEASE_MS } from './policy.rule.ts';
import { addMs, createSend, type OutboxParts } from './sending.ts';
import * as store from './store.ts';
import { createTransport } from './transport.ts';

/** Interval in milliseconds between looks for messages that are due. */
const LOOK_MS = 500;
/** Time in milliseconds for messages that are being sent when the process ends. */
const ENDING_MS = 4000;

/**
 * Sends what is in the outbox. Any number of processes may do so: each message is with one at a time, and if that is
 * killed, another one sends it again. A message is sent at least once, and each time with the same Message-ID.
 */
export const startOutbox = (db: Db, parts: OutboxParts) => {
  const { clock, log, mail } = parts;
  const workerId = randomUUID();
  const transport = createTransport(log);
  let tries = 0;

  const engine = createDeliveryEngine<store.ClaimedNotice>({
    takeDue: async function* (underWay) {
      for (;;) {
        const now = clock();
        const except = [...underWay.keys()].map(({ to }) => to);
        const channels: store.Notice['channel'][] = mail && !transport.isResting() ? ['mail', 'webhook'] : ['webhook'];
        const claim = { by: `${workerId}:${++tries}`, until: addMs(now, LEASE_MS) };
        const notice = await store.claimDue(db, { channels, now, except }, claim);
        if (!notice) return;
        yield notice;
      }
    },
    deliver: createSend(db, parts, transport),
    isAlone: ({ channel }) => channel === 'mail' && transport.isFailing(),
    mostAtOnce: AT_ONCE,
    lookMs: LOOK_MS,
    onFault: (error, notice) =>
      log.error(
        { err: error, notice: notice?._id },
        notice ? 'a message was not sent; retrying' : 'delivery of mail failed; retrying',
      ),
  });

  return {
    /** Resolves when everything that is due has been tried once. */
    settle: engine.settle,
    /** Takes no more messages, and gives those that are being sent some time. */
    stop: (): Promise<void> => engine.end(ENDING_MS),
  };
};
