import type { TxContext } from '../../ledger/context.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import { NOTICE_LANGUAGES } from './languages.rule.ts';
import * as store from './store.ts';
import { createRandomId } from './tell.ts';

/** Returns the id of the address that came with a report. */
export const toSenderId = (reportId: string): string => `re_${reportId}`;

/** An address that came with a report, and is not confirmed. */
export interface SenderAddress {
  readonly email: string;
  /** Code of a language; another one than those of mail counts as none. */
  readonly language?: string | undefined;
}

/** Lets mail about a report go to the address that came with it. */
export const keepSender = async (c: TxContext, reportId: string, { email, language }: SenderAddress): Promise<void> => {
  const spoken = NOTICE_LANGUAGES.find((one) => one === language);
  const made = { _id: toSenderId(reportId), email, stopToken: createRandomId('s'), createdAt: c.now };
  await store.insertAddress({ ...made, ...(spoken ? { language: spoken } : {}) }, c.tx);
};

/** Deletes the address that came with a report, and the mails to it. @throws a retry error while one is being sent */
export const removeSender = async (c: TxContext, reportId: string): Promise<void> => {
  const id = toSenderId(reportId);
  const address = await store.findAddress(c.db, id, c.tx);
  if (address?.hold && address.hold.until > c.now) throw createRetryError('a message to this person is being sent');
  await store.deleteAddresses([id], c.tx);
  await store.deleteNoticesTo(id, c.tx);
};
