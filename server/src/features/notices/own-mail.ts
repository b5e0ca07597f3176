import type { OwnMail } from '@broker-transparency/contract';
import type { Principal } from '../../http/auth/access.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { hashAddress, mailAddress } from './address.rule.ts';
import { isRightCode, makeCode } from './contacts.ts';
import { type NoticeLanguage, preferredLanguage } from './languages.rule.ts';
import { CODE_TRIES, CODES_A_DAY } from './policy.rule.ts';
import * as store from './store.ts';
import { createNotice, createRandomId } from './tell.ts';
import { ownMailView } from './view.ts';

const DAY_MS = 86_400_000;

const subtractDay = (now: Date): Date => new Date(now.getTime() - DAY_MS);

const toAuditSubject = (id: string) => ({ kind: 'account', id }) as const;

/** Returns where an account is told. */
export const findOwnAddress = (db: Db, accountId: string, tx?: TxContext['tx']): Promise<store.NoticeAddress | null> =>
  store.findAddress(db, accountId, tx);

/** Returns where an account is told, as its person sees it. */
export const showOwnMail = async (db: Db, accountId: string): Promise<OwnMail> =>
  ownMailView(await findOwnAddress(db, accountId));

/**
 * @throws DomainError rate_limited if within a day the account has asked for too many codes, or too many to this
 * address
 */
const requireFewRequests = async ({ tx, now }: TxContext, accountId: string, addressHash: string): Promise<void> => {
  const since = subtractDay(now);
  const refuse = (most: number, where: string): never => {
    throw new DomainError('rate_limited', `An account can ask for ${most} codes${where} within a day.`, {
      retryAfter: DAY_MS / 1000,
    });
  };
  const { account, sameAddress } = CODES_A_DAY;
  if ((await store.countCodes({ accountId }, since, tx)) >= account) refuse(account, '');
  if ((await store.countCodes({ accountId, addressHash }, since, tx)) >= sameAddress)
    refuse(sameAddress, ' to one address');
};

/** Returns whether an address can get one more code today, whoever asks for it. */
const canGetCode = async ({ tx, now }: TxContext, addressHash: string): Promise<boolean> =>
  (await store.countCodes({ addressHash }, subtractDay(now), tx)) < CODES_A_DAY.address;

/** Returns the address of an account, and makes an empty one if it has none. */
const ensureAddress = async ({ tx, now, db }: TxContext, accountId: string): Promise<store.NoticeAddress> => {
  const known = await store.findAddress(db, accountId, tx);
  if (known) return known;
  const made = { _id: accountId, stopToken: createRandomId('s'), createdAt: now };
  await store.insertAddress(made, tx);
  return made;
};

/** Where and how somebody wants to be told. */
export interface AddressRequest {
  readonly address?: string | undefined;
  readonly language?: NoticeLanguage | undefined;
}

/**
 * Sets the language in which an account is told, and sends a code to the address that it wants. What is answered does
 * not tell whether anybody else has that address.
 * @throws DomainError rate_limited
 */
export const requestMail = async (
  c: TxContext,
  { accountId, acceptLanguage }: Principal,
  { address, language }: AddressRequest,
): Promise<void> => {
  const known = await ensureAddress(c, accountId);
  const chosen = language ?? known.language ?? preferredLanguage(acceptLanguage);
  const spoken = language === undefined ? {} : { language, languageChosen: true };
  const email = mailAddress(address);
  if (email === undefined || (email === known.email && !known.gone && !known.offAt)) {
    await store.changeAddress(accountId, spoken, c.tx);
    return;
  }
  const addressHash = hashAddress(email);
  await requireFewRequests(c, accountId, addressHash);
  const { pending, told } = makeCode(email, c.now);
  await store.changeAddress(accountId, { ...spoken, pending }, c.tx);
  if (!(await canGetCode(c, addressHash))) return;
  const draft = { kind: 'address.code', to: accountId, accountId, data: told, language: chosen, addressHash } as const;
  await store.insertNotices([createNotice(draft, c.now)], c.tx);
};

/**
 * Confirms the address that a code was sent to.
 * @throws DomainError state_conflict if the code is not the right one any more; a wrong one counts
 */
export const confirmMail = async (context: Context, accountId: string, code: string): Promise<void> => {
  const isConfirmed = await inTransaction(context, async (c) => {
    const known = await store.findAddress(c.db, accountId, c.tx);
    if (!known?.pending) return false;
    const { pending } = known;
    if (!isRightCode(pending, code, c.now)) {
      await store.changeAddress(accountId, { pending: { ...pending, wrong: pending.wrong + 1 } }, c.tx);
      return false;
    }
    const set = { email: pending.email, source: 'code', confirmedAt: c.now } as const;
    await store.changeAddress(accountId, { ...set, pending: undefined, gone: undefined, offAt: undefined }, c.tx);
    c.audit('account.mail_confirmed', toAuditSubject(accountId), {
      before: { confirmed: known.email !== undefined },
      after: { confirmed: true, source: set.source },
      reason: 'code_given',
    });
    return true;
  });
  if (isConfirmed) return;
  throw new DomainError(
    'state_conflict',
    `No address waits for this code, it is older than a day, or was wrong ${CODE_TRIES} times. Ask for a new one.`,
  );
};

/** Removes an address for good: what the identity provider says of it is not kept any more, either. */
const removeAddress = async (
  c: TxContext,
  { _id: id, email, offAt }: store.NoticeAddress,
  reason: string,
): Promise<void> => {
  if (offAt) return;
  const none = { email: undefined, source: undefined, confirmedAt: undefined, pending: undefined, gone: undefined };
  await store.changeAddress(id, { ...none, offAt: c.now }, c.tx);
  const change = { before: { confirmed: email !== undefined }, after: { confirmed: false }, reason };
  c.audit('account.mail_removed', toAuditSubject(id), change);
};

/** Ends mail to an account. */
export const stopMail = async (c: TxContext, accountId: string): Promise<void> =>
  removeAddress(c, await ensureAddress(c, accountId), 'author_request');

/** Ends mail to whom a link was sent. Does nothing if the link is not known, so that nobody learns which ones are. */
export const stopMailByLink = (context: Context, stopToken: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const known = await store.findByStopToken(stopToken, c.tx);
    if (known) await removeAddress(c, known, 'unsubscribed');
  });
