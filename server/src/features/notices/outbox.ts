import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Clock } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Mail, Mailer, Sent } from '../../platform/mail/smtp.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import { NOTICES } from './kinds.rule.ts';
import { type MessageSettings, mailOf } from './message.ts';
import type { CountTry } from './metrics.ts';
import {
  AT_ONCE,
  BUSY_MS,
  FAILED_KEPT_MS,
  LEASE_MS,
  MOST_REPLY,
  nextTry,
  SEND_MS,
  SENT_KEPT_MS,
  TRANSPORT_RETRY_MS,
} from './policy.rule.ts';
import { saysGone } from './replies.rule.ts';
import type { createTellSystem, Told } from './send-webhook.ts';
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
  readonly tellSystem: ReturnType<typeof createTellSystem>;
  readonly countTry: CountTry;
}

interface MailParts {
  readonly mailer: Pick<Mailer, 'send'>;
  /** Addresses of the operator. */
  readonly operator: readonly string[];
  readonly message: MessageSettings;
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Until another message to the same address is through: not all at once, so that they do not meet again. */
const soon = (at: Date): Date => after(at, BUSY_MS * (1 + Math.random()));

/** Returns the address of a message by now; undefined if nobody can be told there any more. */
const recipientOf = ({ kind }: store.Notice, address: store.Address, now: Date): string | undefined => {
  const { email, pending, offAt, gone } = address;
  if (NOTICES[kind].confirms) return pending && pending.endsAt > now ? pending.email : undefined;
  return offAt || gone ? undefined : email;
};

/**
 * Sends what is in the outbox. Any number of processes may do so: each message is with one at a time, and if that is
 * killed, another one sends it again. A message is sent at least once, and each time with the same Message-ID.
 */
export const startOutbox = (db: Db, { clock, log, mail: mailParts, tellSystem, countTry }: OutboxParts) => {
  const me = randomUUID();
  /** Messages that are being sent, by the address that they go to. */
  const underWay = new Map<string, Promise<void>>();
  let tries = 0;
  let failuresInARow = 0;
  let restsUntil = 0;
  let isEnding = false;
  let claims = 0;

  const fail = (notice: store.Notice, by: string, tried: store.Tried): Promise<void> =>
    store.settle(db, notice._id, by, { state: 'failed', tried, forgetAt: after(tried.at, FAILED_KEPT_MS) });

  /** The server takes no mail at all: one message asks for it now and then, and the others wait. */
  const rest = (problem: string): void => {
    if (performance.now() < restsUntil) return;
    const delay = TRANSPORT_RETRY_MS[Math.min(failuresInARow, TRANSPORT_RETRY_MS.length - 1)] as number;
    failuresInARow++;
    restsUntil = performance.now() + delay;
    log.error({ problem, againInMs: delay }, 'the mail server takes no mail; it is tried again');
  };

  const settle = async (notice: store.Notice, by: string, sent: Sent | Told): Promise<void> => {
    const now = clock();
    const { _id: id, since, attempts, kind, channel } = notice;
    countTry(channel, sent.outcome);
    if (sent.outcome === 'sent') {
      if (channel === 'mail') failuresInARow = 0;
      const reply = sent.reply.slice(0, MOST_REPLY);
      return store.settle(db, id, by, { state: 'sent', sentAt: now, reply, forgetAt: after(now, SENT_KEPT_MS) });
    }
    const { outcome, code } = sent;
    const tried = { at: now, outcome, code, problem: sent.problem.slice(0, MOST_REPLY) };
    if (outcome === 'unreachable') rest(tried.problem);
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
    const again = nextTry(since, attempts, now);
    if (again === null) return fail(notice, by, { ...tried, outcome: 'expired' });
    return store.settle(db, id, by, { nextTryAt: outcome === 'unreachable' ? after(now, BUSY_MS) : again, tried });
  };

  /** Sends a message, and stores what came of it. */
  const transmit = async ({ mailer }: MailParts, notice: store.Notice, by: string, mail: Mail): Promise<void> =>
    settle(notice, by, await mailer.send(mail, SEND_MS));

  const sendToOperator = async (parts: MailParts, notice: store.Notice, by: string): Promise<void> => {
    const { operator, message } = parts;
    if (operator.length > 0) return transmit(parts, notice, by, await mailOf(db, message, notice, operator, undefined));
    return fail(notice, by, { at: clock(), outcome: 'refused', problem: 'OPERATOR_MAIL is not set' });
  };

  /** While the address is held, an erasure waits; once it is erased, it cannot be held. */
  const sendToAddress = async (parts: MailParts, notice: store.Notice, by: string): Promise<void> => {
    const now = clock();
    const begun = performance.now();
    const address = await store.holdAddress(db, notice.to, { by, until: after(now, LEASE_MS) }, now);
    if (!address) {
      const isThere = (await store.findAddress(db, notice.to)) !== null;
      return isThere ? store.giveBack(db, notice._id, by, soon(now)) : store.deleteNotice(db, notice._id, by);
    }
    try {
      const recipient = recipientOf(notice, address, now);
      if (recipient === undefined) return await store.deleteNotice(db, notice._id, by);
      if (await store.isOvertaking(db, notice)) return await store.giveBack(db, notice._id, by, soon(now));
      const mail = await mailOf(db, parts.message, notice, [recipient], address);
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

  const run = async (notice: store.Notice, by: string): Promise<void> => {
    try {
      if (notice.channel === 'webhook') await sendToSystem(notice, by);
      else if (mailParts) await (notice.to === OPERATOR ? sendToOperator : sendToAddress)(mailParts, notice, by);
    } catch (error) {
      log.error({ err: error, notice: notice._id }, 'a message was not sent; it is tried again');
    }
  };

  const channelsNow = (): store.Notice['channel'][] =>
    mailParts && performance.now() >= restsUntil ? ['mail', 'webhook'] : ['webhook'];

  const round = async (): Promise<void> => {
    while (!isEnding && underWay.size < AT_ONCE) {
      const now = clock();
      const by = `${me}:${++tries}`;
      const due = { channels: channelsNow(), now, except: [...underWay.keys()] };
      const notice = await store.claimDue(db, due, { by, until: after(now, LEASE_MS) });
      if (!notice) return;
      claims++;
      const sending = run(notice, by).finally(() => underWay.delete(notice.to));
      underWay.set(notice.to, sending);
      if (failuresInARow > 0 && notice.channel === 'mail') await sending; // one asks whether the server is back
    }
  };
  const inTurn = pLimit(1); // a round does not see what another one is claiming
  const loop = startLoop(
    () => inTurn(round),
    LOOK_MS,
    (error) => log.error({ err: error }, 'notices stand still; it is tried again'),
  );

  return {
    /** Resolves when everything that is due has been tried once. */
    settle: async (): Promise<void> => {
      for (let before = -1; before !== claims; ) {
        await Promise.all(underWay.values()); // other messages to these addresses wait for them
        before = claims;
        await inTurn(round);
      }
    },
    /** Takes no more messages, and gives those that are being sent some time. */
    stop: async (): Promise<void> => {
      isEnding = true;
      await loop.stop();
      await Promise.race([Promise.all(underWay.values()), sleep(ENDING_MS, undefined, { ref: false })]);
    },
  };
};
