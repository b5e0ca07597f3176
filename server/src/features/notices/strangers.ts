import type { TxContext } from '../../ledger/context.ts';
import { hashAddress, hashAsker, hashCode, stripTag } from './address.rule.ts';
import type { NoticeKind } from './kinds.rule.ts';
import { NOTICE_LANGUAGES } from './languages.rule.ts';
import * as store from './store.ts';
import { createNotice, createRandomId } from './tell.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A mail with a secret to an address that somebody typed, who may not have it. */
interface AddressRequest {
  /** Id of the address. */
  readonly id: string;
  readonly email: string;
  /** Code of a language; another one than those of mail counts as none. */
  readonly language: string;
  /** The secret of the link. */
  readonly code: string;
  readonly endsAt: Date;
  readonly kind: NoticeKind;
  readonly data: object;
  /** Most mails of this kind: to one mailbox within a day, and to all addresses within an hour. */
  readonly most: {
    readonly ofMailbox: number;
    readonly ofAll: number;
    /** Of these, those that one network address may cause: to one mailbox within a day, and within an hour. */
    readonly ofMailboxForAsker?: number;
    readonly ofAsker?: number;
  };
  /** Key of the network address that asks. */
  readonly asker?: string;
  /** Called if all addresses together have got enough: then nobody gets a link. */
  readonly onFull?: () => void;
}

/** Returns whether a link may go to a mailbox, after those that went out. */
const isWithin = async (
  c: TxContext,
  { kind, most, onFull }: AddressRequest,
  { addressHash, askedBy }: { readonly addressHash: string; readonly askedBy: string | undefined },
): Promise<boolean> => {
  const countSince = (ms: number, by = {}): Promise<number> =>
    store.countCodes(by, new Date(c.now.getTime() - ms), c.tx, kind);
  if (askedBy !== undefined) {
    const { ofMailboxForAsker = most.ofMailbox, ofAsker = most.ofAll } = most;
    if ((await countSince(DAY_MS, { addressHash, askedBy })) >= ofMailboxForAsker) return false;
    if ((await countSince(HOUR_MS, { askedBy })) >= ofAsker) return false;
  }
  if ((await countSince(DAY_MS, { addressHash })) >= most.ofMailbox) return false;
  if ((await countSince(HOUR_MS)) < most.ofAll) return true;
  onFull?.();
  return false;
};

/**
 * Sends a link to an address. Returns false if its mailbox has got enough of them within a day, or all together within
 * an hour, whoever asked: then nothing changes.
 */
export const askAddress = async (c: TxContext, request: AddressRequest): Promise<boolean> => {
  const { id, email, language, code, endsAt, kind, data, asker } = request;
  const addressHash = hashAddress(stripTag(email));
  const askedBy = asker === undefined ? undefined : hashAsker(asker);
  if (!(await isWithin(c, request, { addressHash, askedBy }))) return false;
  const known = await store.findAddress(c.db, id, c.tx);
  const spoken = NOTICE_LANGUAGES.find((one) => one === language);
  const pending = { email, codeHash: hashCode(code), endsAt, wrong: 0 };
  if (known) await store.changeAddress(id, { pending }, c.tx);
  else {
    const made = { _id: id, pending, stopToken: createRandomId('s'), createdAt: c.now };
    await store.insertAddress({ ...made, ...(spoken ? { language: spoken } : {}) }, c.tx);
  }
  await store.insertNotices(
    [createNotice({ kind, to: id, data, language: spoken, addressHash, askedBy }, c.now)],
    c.tx,
  );
  return true;
};
