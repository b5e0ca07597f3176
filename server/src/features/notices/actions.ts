import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { maskedAddress } from './address.rule.ts';
import type { NoticeKind } from './kinds.rule.ts';
import * as store from './store.ts';
import { OPERATOR } from './tell.ts';

export { NOTICE_STATES } from './store.ts';

/** The filters of a list of the outbox. */
export interface NoticeFilter {
  readonly state?: store.NoticeState;
  readonly kind?: NoticeKind;
}

const toNoticeRow = ({ _id: id, kind, data, state, attempts, createdAt, sentAt, nextTryAt, tried }: store.Notice) => ({
  id,
  kind,
  reference: typeof data['reference'] === 'string' ? data['reference'] : null,
  state,
  attempts,
  createdAt,
  sentAt: sentAt ?? null,
  nextTryAt: state === 'waiting' ? nextTryAt : null,
  problem: tried?.problem ?? null,
});

/** Lists messages of the outbox, newest first, and how many there are in all. */
export const listNotices = async (db: Db, filter: NoticeFilter, limit: number) => ({
  rows: (await store.listNotices(db, filter, limit)).map(toNoticeRow),
  total: await store.countNotices(db, filter),
});

/** Returns how many mails and webhooks wait or have failed, and since when the oldest waits. */
export const readMailBacklog = (db: Db) => store.readBacklog(db);

const requireNotice = (found: store.Notice | null, id: string): store.Notice => {
  if (found) return found;
  throw new DomainError('not_found', `No mail has the id "${id}". See: mail list`);
};

/** Returns a message with what came of its tries; its address is shortened. @throws DomainError not_found */
export const showNotice = async (db: Db, id: string) => {
  const notice = requireNotice(await store.findNotice(db, id), id);
  const address = notice.to === OPERATOR ? null : await store.findAddress(db, notice.to);
  const { email, gone, offAt } = address ?? {};
  const { code, ...data } = notice.data;
  const shortened = email === undefined ? null : maskedAddress(email);
  return {
    ...toNoticeRow(notice),
    channel: notice.channel,
    to: notice.to === OPERATOR ? 'the operator' : notice.channel === 'webhook' ? notice.to : shortened,
    addressGone: gone ?? null,
    noMailSince: offAt ?? null,
    language: notice.language ?? null,
    data,
    tried: notice.tried ?? null,
    reply: notice.reply ?? null,
    forgottenAt: notice.forgetAt ?? null,
  };
};

/** Messages that are tried again in one transaction. */
const BATCH = 200;

/**
 * Lets mails that failed be tried again: these, or all. Returns their number.
 * @throws DomainError not_found, state_conflict
 */
export const retryNotices = (context: Context, ids: readonly string[] | 'all'): Promise<number> =>
  inTransaction(context, async (c) => {
    const found: store.Notice[] = [];
    if (ids === 'all') found.push(...(await store.findFailed(BATCH, c.tx)));
    else for (const id of ids) found.push(requireNotice(await store.findNotice(c.db, id, c.tx), id));
    const other = found.find(({ state }) => state !== 'failed');
    if (other)
      throw new DomainError(
        'state_conflict',
        `Mail ${other._id} is ${other.state}: only one that failed is tried again.`,
      );
    for (const { _id: id, kind } of found) {
      await store.renewNotice(id, c.now, c.tx);
      const change = { before: { state: 'failed' }, after: { state: 'waiting', kind }, reason: 'operator_command' };
      c.audit('notice.retried', { kind: 'notice', id }, change);
    }
    return found.length;
  });
