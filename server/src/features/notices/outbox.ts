import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Clock } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Mail, Mailer, MailOutcome } from '../../platform/mail/smtp.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import { NOTICES } from './kinds.rule.ts';
import { buildMail, type MessageSettings } from './message.ts';
import type { CountAttempt } from './metrics.ts';
import {
  AT_ONCE,
  BUSY_MS,
  computeNextAttempt,
  FAILED_KEPT_MS,
  LEASE_MS,
  MOST_REPLY,
  SEND_MS,
  SENT_KEPT_MS,
  TRANSPORT_RETRY_MS,
} from './policy.rule.ts';
import { saysGone } from './replies.rule.ts';
import type { createSystemNotifier, SystemDelivery } from './send-webhook.ts';
import * as store from './store.ts';
import { OPERATOR } from './tell.ts';

/** Interval in milliseconds between looks for messages that are due. */
const LOOK_MS = 500;
/** Time in milliseconds to make a message, so that it is sent while its address is held. */
const MAKE_MS = (LEASE_MS - SEND_MS) / 2;
/** Time in milliseconds for messages that are being sent when the process ends. */
const ENDING_MS = 4000;

/** What an outbox needs. */
export interface OutboxParts {
  readonly clock: Clock;
  readonly log: Log;
  /** How mail is sent; undefined: mail is left to other processes. */
  readonly mail: MailParts | undefined;
  /** How the operator's own systems are told. */
  readonly tellSystem: ReturnType<typeof createSystemNotifier>;
  readonly countTry: CountAttempt;
}

interface MailParts {
  readonly mailer: Pick<Mailer, 'send'>;
  /** Addresses of the operator. */
  readonly operator: readonly string[];
  readonly message: MessageSettings;
}

const addMs = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Until another message to the same address is through: not all at once, so that they do not meet again. */
const computeBusyRetry = (at: Date): Date => addMs(at, BUSY_MS * (1 + Math.random()));

/** Returns the address of a message by now; undefined if nobody can be told there any more. */
const findRecipient = ({ kind }: store.Notice, address: store.NoticeAddress, now: Date): string | undefined => {
  const { email, pending, offAt, gone } = address;
  if (NOTICES[kind].confirms) return pending && pending.endsAt > now ? pending.email : undefined;
  return offAt || gone ? undefined : email;
};

/**
 * Sends what is in the outbox. Any number of processes may do so: each message is with one at a time, and if that is
 * killed, another one sends it again. A message is sent at least once, and each time with the same Message-ID.
 */
export const startOutbox = (db: Db, { clock, log, mail: mailParts, tellSystem, countTry }: OutboxParts) => {
  const workerId = randomUUID();
  /** Messages that are being sent, by the address that they go to. */
  const inFlight = new Map<string, Promise<void>>();
  let tries = 0;
  let failuresInARow = 0;
  let restsUntil = 0;
  let isEnding = false;
  let claims = 0;

  const fail = (notice: store.Notice, by: string, tried: store.NoticeAttempt): Promise<void> =>
    store.settleNotice(db, notice._id, by, { state: 'failed', tried, forgetAt: addMs(tried.at, FAILED_KEPT_MS) });

  /** The server takes no mail at all: one message asks for it now and then, and the others wait. */
  const pauseTransport = (problem: string): void => {
    if (performance.now() < restsUntil) return;
    const delay = TRANSPORT_RETRY_MS[Math.min(failuresInARow, TRANSPORT_RETRY_MS.length - 1)] as number;
    failuresInARow++;
    restsUntil = performance.now() + delay;
    log.error({ problem, againInMs: delay }, 'the mail server takes no mail; it is tried again');
  };

  const settle = async (notice: store.Notice, by: string, sent: MailOutcome | SystemDelivery): Promise<void> => {
    const now = clock();
    const { _id: id, since, attempts, kind, channel } = notice;
    countTry(channel, sent.outcome);
    if (sent.outcome === 'sent') {
      if (channel === 'mail') failuresInARow = 0;
      const reply = sent.reply.slice(0, MOST_REPLY);
      return store.settleNotice(db, id, by, { state: 'sent', sentAt: now, reply, forgetAt: addMs(now, SENT_KEPT_MS) });
    }
    const { outcome, code } = sent;
    const tried = { at: now, outcome, code, problem: sent.problem.slice(0, MOST_REPLY) };
    if (outcome === 'unreachable') pauseTransport(tried.problem);
    else
      log.warn(
        { notice: id, kind, channel, outcome, code },
        'a message was not taken; broker-rating mail show says why',
      );
    if (outcome === 'refused') {
      if (saysGone(sent.problem) && notice.to !== OPERATOR)
        await store.markGone(db, notice.to, { at: now, why: String(code) });
      return fail(notice, by, tried);
    }
    const again = computeNextAttempt(since, attempts, now);
    if (again === null) return fail(notice, by, { ...tried, outcome: 'expired' });
    return store.settleNotice(db, id, by, {
      nextTryAt: outcome === 'unreachable' ? addMs(now, BUSY_MS) : again,
      tried,
    });
  };

  /** Sends a message, and stores what came of it. */
  const transmit = async ({ mailer }: MailParts, notice: store.Notice, by: string, mail: Mail): Promise<void> =>
    settle(notice, by, await mailer.send(mail, SEND_MS));

  const sendToOperator = async (parts: MailParts, notice: store.Notice, by: string): Promise<void> => {
    const { operator, message } = parts;
    if (operator.length > 0)
      return transmit(parts, notice, by, await buildMail(db, message, notice, operator, undefined));
    return fail(notice, by, { at: clock(), outcome: 'refused', problem: 'OPERATOR_MAIL is not set' });
  };

  /** While the address is held, an erasure waits; once it is erased, it cannot be held. */
  const sendToAddress = async (parts: MailParts, notice: store.Notice, by: string): Promise<void> => {
    const now = clock();
    const begun = performance.now();
    const address = await store.holdAddress(db, notice.to, { by, until: addMs(now, LEASE_MS) }, now);
    if (!address) {
      const isThere = (await store.findAddress(db, notice.to)) !== null;
      return isThere
        ? store.returnNotice(db, notice._id, by, computeBusyRetry(now))
        : store.deleteNotice(db, notice._id, by);
    }
    try {
      const recipient = findRecipient(notice, address, now);
      if (recipient === undefined) return await store.deleteNotice(db, notice._id, by);
      if (await store.hasEarlierNotice(db, notice))
        return await store.returnNotice(db, notice._id, by, computeBusyRetry(now));
      const mail = await buildMail(db, parts.message, notice, [recipient], address);
      if (performance.now() - begun > MAKE_MS) throw new Error('the database answers too slowly');
      await transmit(parts, notice, by, mail);
    } finally {
      await store.releaseAddress(db, notice.to, by);
    }
  };

  const sendToSystem = async (notice: store.Notice, by: string): Promise<void> => {
    const told = await tellSystem(notice);
    await (told ? settle(notice, by, told) : store.deleteNotice(db, notice._id, by));
  };

  const sendNotice = async (notice: store.Notice, by: string): Promise<void> => {
    try {
      if (notice.channel === 'webhook') await sendToSystem(notice, by);
      else if (mailParts) await (notice.to === OPERATOR ? sendToOperator : sendToAddress)(mailParts, notice, by);
    } catch (error) {
      log.error({ err: error, notice: notice._id }, 'a message was not sent; it is tried again');
    }
  };

  const channelsNow = (): store.Notice['channel'][] =>
    mailParts && performance.now() >= restsUntil ? ['mail', 'webhook'] : ['webhook'];

  const runRound = async (): Promise<void> => {
    while (!isEnding && inFlight.size < AT_ONCE) {
      const now = clock();
      const by = `${workerId}:${++tries}`;
      const due = { channels: channelsNow(), now, except: [...inFlight.keys()] };
      const notice = await store.claimDue(db, due, { by, until: addMs(now, LEASE_MS) });
      if (!notice) return;
      claims++;
      const sending = sendNotice(notice, by).finally(() => inFlight.delete(notice.to));
      inFlight.set(notice.to, sending);
      if (failuresInARow > 0 && notice.channel === 'mail') await sending; // one asks whether the server is back
    }
  };
  const inTurn = pLimit(1); // a round does not see what another one is claiming
  const loop = startLoop(
    () => inTurn(runRound),
    LOOK_MS,
    (error) => log.error({ err: error }, 'notices stand still; it is tried again'),
  );

  return {
    /** Resolves when everything that is due has been tried once. */
    settle: async (): Promise<void> => {
      for (let before = -1; before !== claims; ) {
        await Promise.all(inFlight.values()); // other messages to these addresses wait for them
        before = claims;
        await inTurn(runRound);
      }
    },
    /** Takes no more messages, and gives those that are being sent some time. */
    stop: async (): Promise<void> => {
      isEnding = true;
      await loop.stop();
      await Promise.race([Promise.all(inFlight.values()), sleep(ENDING_MS, undefined, { ref: false })]);
    },
  };
};
