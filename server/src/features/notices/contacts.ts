import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { createRetryError } from '../../platform/mongo-errors.ts';
import { requireBroker, resolveSlugs } from '../brokers/facts.ts';
import { hashCode, mailAddress, maskedAddress, newCode } from './address.rule.ts';
import { TOPICS, type Topic } from './kinds.rule.ts';
import type { NoticeLanguage } from './languages.rule.ts';
import { CODE_LASTS_MS, CODE_TRIES } from './policy.rule.ts';
import * as store from './store.ts';
import { createNotice, createRandomId } from './tell.ts';

/** Makes a code for an address: what is stored of it, and what the mail says. */
export const makeCode = (email: string, now: Date) => {
  const [code, endsAt] = [newCode(), new Date(now.getTime() + CODE_LASTS_MS)];
  const pending: store.PendingAddress = { email, codeHash: hashCode(code), endsAt, wrong: 0 };
  return { pending, told: { code, endsAt: endsAt.toISOString() } };
};

/** Returns whether a code is the one that an address waits for. */
export const isRightCode = ({ codeHash, endsAt, wrong }: store.PendingAddress, code: string, now: Date): boolean =>
  wrong < CODE_TRIES && endsAt > now && hashCode(code) === codeHash;

/** A contact of a broker as lists show it. */
export interface Contact {
  readonly id: string;
  readonly broker: string;
  readonly address: string;
  readonly topics: readonly Topic[];
  readonly language: string | null;
  readonly state: 'waits for its code' | 'confirmed' | 'does not exist';
  readonly since: Date;
}

const toContactState = ({ email, gone }: store.NoticeAddress): Contact['state'] => {
  if (gone) return 'does not exist';
  return email === undefined ? 'waits for its code' : 'confirmed';
};

/** Lists the contacts of a broker and of those merged into it, or of all. @throws DomainError broker_not_found */
export const listBrokerContacts = async (db: Db, slug?: string): Promise<Contact[]> => {
  const rows =
    slug === undefined
      ? await store.listContacts(db)
      : await store.findContacts(db, (await requireBroker(db, slug)).keys);
  const find = await resolveSlugs(db, [...new Set(rows.map(({ broker = '' }) => broker))]);
  return rows.map((row) => ({
    id: row._id,
    broker: find(row.broker ?? '')?.slug ?? row.broker ?? '',
    address: row.email ?? row.pending?.email ?? '',
    topics: row.topics ?? [],
    language: row.language ?? null,
    state: toContactState(row),
    since: row.confirmedAt ?? row.createdAt,
  }));
};

/** The address that becomes a contact. */
export interface ContactDraft {
  readonly address: string;
  readonly topics?: readonly Topic[] | undefined;
  readonly language?: NoticeLanguage | undefined;
}

const toAuditSubject = (key: string) => ({ kind: 'broker', id: key }) as const;

/**
 * Sends a code to an address that is to become a contact of a broker. Nothing else goes there until it is confirmed.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const addBrokerContact = async (context: Context, slug: string, draft: ContactDraft): Promise<string> => {
  const { key, keys } = await requireBroker(context.db, slug);
  const email = mailAddress(draft.address);
  if (email === undefined) throw new DomainError('invalid_input', `"${draft.address}" is not a mail address.`);
  return inTransaction(context, async (c) => {
    const known = await store.findContacts(c.db, keys, c.tx);
    const same = known.find((one) => (one.email ?? one.pending?.email)?.toLowerCase() === email.toLowerCase());
    if (same?.email !== undefined && !same.gone)
      throw new DomainError('state_conflict', `${email} is a contact of "${slug}" already.`);
    const { pending, told } = makeCode(email, c.now);
    const { topics = TOPICS, language } = draft;
    const id = same?._id ?? createRandomId('bc');
    const spoken = language === undefined ? {} : { language };
    if (same) await store.changeAddress(id, { pending, topics, ...spoken }, c.tx);
    else await store.insertAddress({ _id: id, broker: key, topics, pending, ...spoken, createdAt: c.now }, c.tx);
    const data = { broker: key, ...told };
    await store.insertNotices([createNotice({ kind: 'broker.code', to: id, data, language }, c.now)], c.tx);
    const after = { contact: id, topics: topics.join(' ') };
    c.audit('broker.contact_added', toAuditSubject(key), { before: null, after, reason: 'operator_command' });
    return id;
  });
};

/** @throws DomainError state_conflict naming why the code is not taken */
const refuseCode = (): never => {
  throw new DomainError(
    'state_conflict',
    `No contact waits for this code, it is older than a day, or was wrong ${CODE_TRIES} times: broker contact add sends a new one.`,
  );
};

/**
 * Confirms the contact of a broker that a code was sent to. Returns its address.
 * @throws DomainError broker_not_found, state_conflict
 */
export const confirmBrokerContact = async (context: Context, slug: string, code: string): Promise<string> => {
  const { key, keys } = await requireBroker(context.db, slug);
  const confirmed = await inTransaction(context, async (c) => {
    const waiting = (await store.findContacts(c.db, keys, c.tx)).flatMap(({ _id, pending }) =>
      pending ? { _id, pending } : [],
    );
    const right = waiting.find(({ pending }) => isRightCode(pending, code, c.now));
    if (!right) {
      for (const { _id, pending } of waiting)
        await store.changeAddress(_id, { pending: { ...pending, wrong: pending.wrong + 1 } }, c.tx);
      return undefined;
    }
    const { _id: id, pending } = right;
    const set = { email: pending.email, source: 'code', confirmedAt: c.now } as const;
    await store.changeAddress(id, { ...set, gone: undefined, pending: undefined }, c.tx);
    const change = { before: { confirmed: false }, after: { confirmed: true, contact: id }, reason: 'code_given' };
    c.audit('broker.contact_confirmed', toAuditSubject(key), change);
    return pending.email;
  });
  return confirmed ?? refuseCode();
};

/**
 * Removes a contact, and what is in the outbox for it. Returns its address, shortened.
 * @throws DomainError not_found
 */
export const removeBrokerContact = async (context: Context, slug: string, which: string): Promise<string> => {
  const { key, keys } = await requireBroker(context.db, slug);
  return inTransaction(context, async (c) => {
    const contacts = await store.findContacts(c.db, keys, c.tx);
    const found = contacts.find(({ _id, email, pending }) => [_id, email, pending?.email].includes(which));
    if (!found)
      throw new DomainError('not_found', `"${slug}" has no contact ${which}. See: broker contact list ${slug}`);
    if (found.hold && found.hold.until > c.now) throw createRetryError('a message to this contact is being sent');
    await store.deleteAddresses([found._id], c.tx);
    await store.deleteNoticesTo(found._id, c.tx);
    const change = { before: { contact: found._id }, after: null, reason: 'operator_command' };
    c.audit('broker.contact_removed', toAuditSubject(key), change);
    return maskedAddress(found.email ?? found.pending?.email ?? '');
  });
};
