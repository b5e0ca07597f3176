import { type Context, inTransaction } from '../../ledger/context.ts';
import type { BounceReport } from '../../platform/mail/dsn.ts';
import { FAILED_KEPT_MS, MOST_REPLY } from './policy.rule.ts';
import { saysGone } from './replies.rule.ts';
import * as store from './store.ts';
import { OPERATOR } from './tell.ts';

/** The outcome of a report. */
export type BounceOutcome =
  | { readonly outcome: 'noted' | 'address gone'; readonly id: string; readonly status: string }
  | { readonly outcome: 'only delayed'; readonly id: string }
  | { readonly outcome: 'not ours' };

/**
 * Notes that a mail came back. Its id is random, so a forged report about a mail that nobody else has seen finds
 * nothing. An address that does not exist gets no more mail.
 */
export const recordBounce = (context: Context, { messageId, recipients }: BounceReport): Promise<BounceOutcome> =>
  inTransaction(context, async (c) => {
    const notice = await store.findNotice(c.db, messageId.split('@', 1)[0] as string, c.tx);
    if (!notice) return { outcome: 'not ours' };
    const { _id: id, to, state } = notice;
    const failed = recipients.find(({ action, status }) => action === 'failed' && status.startsWith('5'));
    if (!failed) return { outcome: 'only delayed', id };
    const { status, diagnostic } = failed;
    const problem = `${status} ${diagnostic}`
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, MOST_REPLY);
    const forgetAt = new Date(c.now.getTime() + FAILED_KEPT_MS);
    await store.saveBounce(id, { at: c.now, outcome: 'bounced', problem }, forgetAt, c.tx);
    const isGone = saysGone(status) && to !== OPERATOR;
    if (isGone) await store.changeAddress(to, { gone: { at: c.now, why: status } }, c.tx);
    const change = { before: { state }, after: { state: 'failed', status, addressGone: isGone }, reason: 'bounced' };
    c.audit('notice.bounced', { kind: 'notice', id }, change);
    return { outcome: isGone ? 'address gone' : 'noted', id, status };
  });
