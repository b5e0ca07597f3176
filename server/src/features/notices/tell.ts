import { randomBytes } from 'node:crypto';
import type { Principal } from '../../http/auth/access.ts';
import type { TxContext } from '../../ledger/context.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { hashAddress, stripTag } from './address.rule.ts';
import type { BrokerKind, CaseKind, NoticeData, NoticeKind, OperatorKind, PersonKind } from './kinds.rule.ts';
import { NOTICES } from './kinds.rule.ts';
import { preferredLanguage } from './languages.rule.ts';
import { FIRST_MAILS_A_DAY } from './policy.rule.ts';
import * as store from './store.ts';

/** The receivers that the settings name, in place of an address. */
export const OPERATOR = 'operator';

/** A random name that nobody can guess, such as that of a message. */
export const createRandomId = (prefix: string): string => `${prefix}_${randomBytes(15).toString('hex')}`;

/** The parts of a message. */
interface NoticeDraft extends Pick<store.Notice, 'kind' | 'to'> {
  readonly channel?: store.Notice['channel'];
  readonly data: object;
  readonly accountId?: string | undefined;
  readonly language?: store.Notice['language'] | undefined;
  readonly addressHash?: string | undefined;
  readonly askedBy?: string | undefined;
}

/** Returns a message that is due at once. */
export const createNotice = (draft: NoticeDraft, now: Date): store.Notice => {
  const { data, accountId, language, addressHash, askedBy, ...rest } = draft;
  return {
    _id: createRandomId('n'),
    channel: 'mail',
    ...rest,
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)),
    ...(accountId === undefined ? {} : { accountId }),
    ...(language === undefined ? {} : { language }),
    ...(addressHash === undefined ? {} : { addressHash }),
    ...(askedBy === undefined ? {} : { askedBy }),
    state: 'waiting',
    attempts: 0,
    createdAt: now,
    since: now,
    nextTryAt: now,
  };
};

/** Returns true if a notice can reach somebody there. */
const isReachable = ({ email, offAt, gone }: store.NoticeAddress): boolean =>
  email !== undefined && offAt === undefined && gone === undefined;

/**
 * Keeps the address that the identity provider has verified of somebody who sends something, unless they chose another
 * one or want no mail, and the language in which they asked.
 */
export const saveVerifiedAddress = async (
  c: TxContext,
  { accountId, verifiedEmail: email, acceptLanguage, locale }: Principal,
): Promise<void> => {
  const known = await store.findAddress(c.db, accountId, c.tx);
  const heard = preferredLanguage(acceptLanguage) ?? preferredLanguage(locale);
  const language = heard && !known?.languageChosen && heard !== known?.language ? { language: heard } : {};
  const isNew = email !== undefined && known?.source !== 'code' && !known?.offAt && known?.email !== email;
  if (!isNew) {
    if (known && language.language) await store.changeAddress(accountId, language, c.tx);
    return;
  }
  const found = { email, source: 'identity_provider', confirmedAt: c.now, ...language } as const;
  if (known) await store.changeAddress(accountId, { ...found, gone: undefined }, c.tx);
  else await store.insertAddress({ _id: accountId, ...found, stopToken: createRandomId('s'), createdAt: c.now }, c.tx);
  const after = { confirmed: true, source: found.source };
  c.audit(
    'account.mail_confirmed',
    { kind: 'account', id: accountId },
    {
      before: { confirmed: known?.email !== undefined },
      after,
      reason: 'email_verified',
    },
  );
};

/** The fields of an event for the operator's own systems: no statement of reasons, which is for its author. */
const withoutFacts = ({ facts, ...data }: Readonly<Record<string, unknown>>): object => data;

/** Returns what the operator's own systems are told of an event. */
const buildSystemNotices = async (
  c: TxContext,
  kind: NoticeKind,
  data: object,
  accountId?: string,
): Promise<store.Notice[]> => {
  const endpoints = (await store.listEndpoints(c.db, c.tx)).filter(
    ({ kinds }) => kinds === undefined || kinds.includes(kind),
  );
  return endpoints.map(({ _id: to }) => {
    const draft = { kind, to, channel: 'webhook', accountId, data: withoutFacts({ ...data }) } as const;
    return createNotice(draft, c.now);
  });
};

/** The person of a case: an account, or an address that came with a report. */
export interface CaseRecipient {
  readonly accountId: string | undefined;
  /** Id of the address that came with a report. */
  readonly senderId?: string | undefined;
}

/** A notice about a case of moderation. */
export type CaseNotice = { [Kind in CaseKind]: { readonly kind: Kind; readonly data: NoticeData[Kind] } }[CaseKind];

/** A notice to a person. */
interface PersonNotice {
  readonly kind: PersonKind;
  readonly data: object;
}

const DAY_MS = 86_400_000;

/** Returns whether a mailbox got all first mails of a day, whoever wrote. */
const hadFirstMails = async (c: TxContext, addressHash: string): Promise<boolean> => {
  const since = new Date(c.now.getTime() - DAY_MS);
  return (await store.countCodes({ addressHash }, since, c.tx, 'report.received')) >= FIRST_MAILS_A_DAY;
};

const notify = async (
  c: TxContext,
  { accountId, senderId }: CaseRecipient,
  { kind, data }: PersonNotice,
  createLink?: () => Promise<string>,
): Promise<void> => {
  const to = accountId ?? senderId;
  if (to === undefined) return;
  const address = await store.findAddress(c.db, to, c.tx);
  const systems = await buildSystemNotices(c, kind, data, accountId);
  const mails: store.Notice[] = [];
  // first mails to addresses that nobody confirmed are counted by mailbox
  const isFirst = accountId === undefined && kind === 'report.received' && address?.email !== undefined;
  const addressHash = isFirst ? hashAddress(stripTag(String(address.email))) : undefined;
  const isTold = addressHash === undefined || !(await hadFirstMails(c, addressHash));
  if (address && isReachable(address) && isTold) {
    const link = createLink ? { code: await createLink() } : {};
    const draft = { kind, to, accountId, data: { ...data, ...link }, language: address.language, addressHash };
    mails.push(createNotice(draft, c.now));
  }
  await store.insertNotices([...mails, ...systems], c.tx);
};

/**
 * Tells the person of a case in the caller's transaction. Mail has a link to the case.
 * @param createLink makes the secret of the link; it is called only if a mail goes out
 */
export const notifyByLink = (
  c: TxContext,
  recipient: CaseRecipient,
  notice: CaseNotice,
  createLink: () => Promise<string>,
): Promise<void> => notify(c, recipient, notice, createLink);

/**
 * Tells a person what became of something that they sent, if an address of theirs is confirmed: in the caller's
 * transaction, as everything it writes.
 * @param accountId undefined if the person was erased, or has no account
 */
export const notifyPerson = <Kind extends PersonKind>(
  c: TxContext,
  accountId: string | undefined,
  kind: Kind,
  data: NoticeData[Kind],
): Promise<void> => notify(c, { accountId }, { kind, data });

const wantsKind = ({ topics }: store.NoticeAddress, kind: NoticeKind): boolean => {
  const { topic } = NOTICES[kind];
  return topic === undefined || (topics ?? []).includes(topic);
};

/**
 * Tells the confirmed contacts of a broker, in the caller's transaction. Returns how many are told.
 * @param broker key of the broker; contacts of those that were merged into the same one are told, too
 */
export const notifyBroker = async <Kind extends BrokerKind>(
  c: TxContext,
  broker: string,
  kind: Kind,
  data: Omit<NoticeData[Kind], 'broker'>,
): Promise<number> => {
  const keys = (await resolveSlugs(c.db, [broker], { session: c.tx }))(broker)?.keys ?? [broker];
  const contacts = (await store.findContacts(c.db, keys, c.tx)).filter(
    (one) => isReachable(one) && wantsKind(one, kind),
  );
  const drafts = contacts.map(({ _id: to, language }) =>
    createNotice({ kind, to, data: { ...data, broker }, language }, c.now),
  );
  await store.insertNotices([...drafts, ...(await buildSystemNotices(c, kind, { ...data, broker }))], c.tx);
  return drafts.length;
};

/**
 * Tells the operator, at the addresses of the settings, in the caller's transaction.
 * @public
 */
export const notifyOperator = async <Kind extends OperatorKind>(
  c: TxContext,
  kind: Kind,
  data: NoticeData[Kind],
): Promise<void> =>
  store.insertNotices(
    [createNotice({ kind, to: OPERATOR, data }, c.now), ...(await buildSystemNotices(c, kind, data))],
    c.tx,
  );
