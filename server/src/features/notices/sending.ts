import type { Clock } from '../../platform/clock.ts';
import { computeNextTry } from '../../platform/delivery/retry.rule.ts';
import type { Mail, Mailer, MailOutcome } from '../../platform/mail/smtp.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import { NOTICES } from './kinds.rule.ts';
import { buildMail, type MessageSettings } from './message.ts';
import type { CountAttempt } from './metrics.ts';
import { BUSY_MS, FAILED_KEPT_MS, LEASE_MS, MOST_REPLY, NOTICE_RETRIES, SEND_MS, SENT_KEPT_MS } from './policy.rule.ts';
import { saysGone } from './replies.rule.ts';
import type { createSystemNotifier, SystemDelivery } from './send-webhook.ts';
import * as store from './store.ts';
import { OPERATOR } from './tell.ts';
import type { Transport } from './transport.ts';

/** Time in milliseconds to make a message, so that it is sent while its address is held. */
const MAKE_MS = (LEASE_MS - SEND_MS) / 2;

/** The parts of an outbox. */
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

export const addMs = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Until another message to the same address is through: not all at once, so that they do not meet again. */
const computeBusyRetry = (at: Date): Date => addMs(at, BUSY_MS * (1 + Math.random()));

/** Returns the address of a message by now; undefined if nobody can be told there any more. */
const findRecipient = ({ kind }: store.Notice, address: store.NoticeAddress, now: Date): string | undefined => {
  const { email, pending, offAt, gone } = address;
  if (NOTICES[kind].confirms) return pending && pending.endsAt > now ? pending.email : undefined;
  return offAt || gone ? undefined : email;
};

const fail = (db: Db, notice: store.ClaimedNotice, tried: store.NoticeAttempt): Promise<void> =>
  store.settleNotice(db, notice, { state: 'failed', tried, forgetAt: addMs(tried.at, FAILED_KEPT_MS) });

/** Makes the function that stores what came of a message. */
const createSettle =
  (db: Db, { clock, log, countTry }: OutboxParts, transport: Transport) =>
  async (notice: store.ClaimedNotice, sent: MailOutcome | SystemDelivery): Promise<void> => {
    const now = clock();
    const { _id: id, since, attempts: failures, kind, channel } = notice;
    countTry(channel, sent.outcome);
    if (sent.outcome === 'sent') {
      if (channel === 'mail') transport.succeed();
      const reply = sent.reply.slice(0, MOST_REPLY);
      return store.settleNotice(db, notice, { state: 'sent', sentAt: now, reply, forgetAt: addMs(now, SENT_KEPT_MS) });
    }
    const { outcome, code } = sent;
    const tried = { at: now, outcome, code, problem: sent.problem.slice(0, MOST_REPLY) };
    if (outcome === 'unreachable') transport.fail(tried.problem);
    else
      log.warn(
        { notice: id, kind, channel, outcome, code },
        'a message was not taken; broker-rating mail show says why',
      );
    if (outcome === 'refused') {
      if (saysGone(sent.problem) && notice.to !== OPERATOR)
        await store.markGone(db, notice.to, { at: now, why: String(code) });
      return fail(db, notice, tried);
    }
    const again = computeNextTry(NOTICE_RETRIES, { since, failures, now }, Math.random());
    if (again === null) return fail(db, notice, { ...tried, outcome: 'expired' });
    return store.settleNotice(db, notice, {
      nextTryAt: outcome === 'unreachable' ? addMs(now, BUSY_MS) : again,
      tried,
    });
  };

/** Makes the function that sends a message, and stores what came of it. */
export const createSend = (db: Db, outbox: OutboxParts, transport: Transport) => {
  const { clock, mail: mailParts, tellSystem } = outbox;
  const settle = createSettle(db, outbox, transport);

  const transmit = async ({ mailer }: MailParts, notice: store.ClaimedNotice, mail: Mail): Promise<void> =>
    settle(notice, await mailer.send(mail, SEND_MS));

  const sendToOperator = async (parts: MailParts, notice: store.ClaimedNotice): Promise<void> => {
    const { operator, message } = parts;
    if (operator.length > 0) return transmit(parts, notice, await buildMail(db, message, notice, operator, undefined));
    return fail(db, notice, { at: clock(), outcome: 'refused', problem: 'OPERATOR_MAIL is not set' });
  };

  /** While the address is held, an erasure waits; once it is erased, it cannot be held. */
  const sendToAddress = async (parts: MailParts, notice: store.ClaimedNotice): Promise<void> => {
    const now = clock();
    const begun = performance.now();
    const hold = { by: notice.claim.by, until: addMs(now, LEASE_MS) };
    const address = await store.holdAddress(db, notice.to, hold, now);
    if (!address) {
      const isThere = (await store.findAddress(db, notice.to)) !== null;
      return isThere ? store.returnNotice(db, notice, computeBusyRetry(now)) : store.deleteNotice(db, notice);
    }
    try {
      const recipient = findRecipient(notice, address, now);
      if (recipient === undefined) return await store.deleteNotice(db, notice);
      if (await store.hasEarlierNotice(db, notice)) return await store.returnNotice(db, notice, computeBusyRetry(now));
      const mail = await buildMail(db, parts.message, notice, [recipient], address);
      if (performance.now() - begun > MAKE_MS) throw new Error('the database answers too slowly');
      await transmit(parts, notice, mail);
    } finally {
      await store.releaseAddress(db, notice.to, hold.by);
    }
  };

  const sendToSystem = async (notice: store.ClaimedNotice): Promise<void> => {
    const told = await tellSystem(notice);
    await (told ? settle(notice, told) : store.deleteNotice(db, notice));
  };

  return async (notice: store.ClaimedNotice): Promise<void> => {
    if (notice.channel === 'webhook') await sendToSystem(notice);
    else if (mailParts) await (notice.to === OPERATOR ? sendToOperator : sendToAddress)(mailParts, notice);
  };
};
