import type { TxContext } from '../../ledger/context.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import * as store from './store.ts';
import { createNotice } from './tell.ts';

/** A code for the address that a register gives for a broker. */
export interface Invitation {
  /** Id under which the address is stored until the code is used. */
  readonly id: string;
  readonly email: string;
  /** Key of the broker. */
  readonly broker: string;
  readonly code: string;
  readonly codeHash: string;
  readonly endsAt: Date;
}

/** Sends the code that lets somebody answer for a broker, in the caller's transaction. */
export const sendInvitation = async (
  c: TxContext,
  { id, email, broker, code, codeHash, endsAt }: Invitation,
): Promise<void> => {
  const pending = { email, codeHash, endsAt, wrong: 0 };
  await store.insertAddress({ _id: id, pending, createdAt: c.now }, c.tx);
  const data = { broker, code, endsAt: endsAt.toISOString() };
  await store.insertNotices([createNotice({ kind: 'broker.invitation', to: id, data }, c.now)], c.tx);
};

/** Forgets the address of an invitation, and what is in the outbox for it. */
export const removeInvitation = async (c: TxContext, id: string): Promise<void> => {
  const address = await store.findAddress(c.db, id, c.tx);
  if (address?.hold && address.hold.until > c.now) throw createRetryError('a message to this address is being sent');
  await store.deleteAddresses([id], c.tx);
  await store.deleteNoticesTo(id, c.tx);
};
