import { Schema } from 'mongoose';
import { LEASE, type Lease } from '../../platform/delivery/lease.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Secret } from '../../platform/webhooks/message.rule.ts';
import { NOTICE_KINDS, NOTICES, type NoticeKind, TOPICS, type Topic } from './kinds.rule.ts';
import type { NoticeLanguage } from './languages.rule.ts';

/** A code that was sent to an address, and waits to be told back. */
export interface PendingAddress {
  readonly email: string;
  readonly codeHash: string;
  readonly endsAt: Date;
  readonly wrong: number;
}

/** Where somebody is told. */
export interface NoticeAddress {
  /** Id of the account, or an own one for the contact of a broker. */
  readonly _id: string;
  /** Key of the broker whose contact it is. */
  readonly broker?: string;
  readonly topics?: readonly Topic[];
  /** Confirmed. Absent while it is not, and where the person wants no mail. */
  readonly email?: string;
  readonly source?: 'identity_provider' | 'code';
  readonly confirmedAt?: Date;
  readonly language?: NoticeLanguage;
  /** True if the person chose the language. */
  readonly languageChosen?: boolean;
  /** Since when the person wants no mail. */
  readonly offAt?: Date;
  /** Since when the address does not exist, as its mail server says. */
  readonly gone?: { readonly at: Date; readonly why: string };
  readonly pending?: PendingAddress;
  /** The secret of the link that stops mail without a credential. */
  readonly stopToken?: string;
  /** The message that is being sent to it. An erasure waits for its end. */
  readonly hold?: Lease;
  readonly createdAt: Date;
}

/** The outcome of the last try. */
export interface NoticeAttempt {
  readonly at: Date;
  readonly outcome: 'refused' | 'later' | 'unreachable' | 'bounced' | 'expired';
  /** Code of SMTP or HTTP. */
  readonly code?: number | undefined;
  readonly problem: string;
}

export const NOTICE_STATES = ['waiting', 'sent', 'failed'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** A message to one recipient: a row of the outbox. */
export interface Notice {
  /** Random. It is in the Message-ID, so that a message that came twice can be recognised. */
  readonly _id: string;
  readonly kind: NoticeKind;
  readonly channel: 'mail' | 'webhook';
  /** Id of the address or of the endpoint; `operator` for the addresses in the settings. */
  readonly to: string;
  /** The account that it is about. */
  readonly accountId?: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly language?: NoticeLanguage;
  /** Of the address of a code, by which codes to one address are counted. */
  readonly addressHash?: string;
  /** Hash of the network address that asked for a link, by which its links are counted. */
  readonly askedBy?: string;
  readonly state: NoticeState;
  readonly attempts: number;
  readonly createdAt: Date;
  /** When its tries began: it is older if an operator lets it be tried again. */
  readonly since: Date;
  readonly nextTryAt: Date;
  /** The process and try that has it. */
  readonly claim?: Lease;
  readonly tried?: NoticeAttempt;
  readonly sentAt?: Date;
  /** The answer of the mail server that took it. */
  readonly reply?: string;
  /** When the database forgets it. */
  readonly forgetAt?: Date;
}

/** A message that a process has. */
export type ClaimedNotice = Notice & { readonly claim: Lease };

/** A system of the operator's that is told by signed webhooks. */
export interface WebhookEndpoint {
  readonly _id: string;
  readonly url: string;
  /** Absent: all. */
  readonly kinds?: readonly NoticeKind[];
  readonly secrets: readonly Secret[];
  readonly createdAt: Date;
}

const Endpoints = defineModel(
  'NoticeWebhook',
  new Schema<WebhookEndpoint>(
    {
      _id: String,
      url: { type: String, required: true },
      kinds: { type: [{ type: String, enum: NOTICE_KINDS }], default: undefined },
      secrets: [{ secret: String, createdAt: Date, endsAt: { type: Date, default: null }, _id: false }],
      createdAt: { type: Date, required: true },
    },
    STRICT,
  ).index({ createdAt: 1, _id: 1 }),
  'noticeWebhooks',
);

export const listEndpoints = (db: Db, tx?: Tx) =>
  Endpoints(db)
    .find()
    .sort({ createdAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<WebhookEndpoint[]>()
    .exec();

export const findEndpoint = (db: Db, id: string) => Endpoints(db).findById(id).lean<WebhookEndpoint>().exec();

export const insertEndpoint = async (endpoint: WebhookEndpoint, tx: Tx): Promise<void> => {
  await Endpoints(tx.db).create([endpoint], { session: tx });
};

export const deleteEndpoint = async (id: string, tx: Tx): Promise<boolean> =>
  (await Endpoints(tx.db).deleteOne({ _id: id }).session(tx)).deletedCount === 1;

const Addresses = defineModel(
  'NoticeAddress',
  new Schema<NoticeAddress>(
    {
      _id: String,
      broker: String,
      topics: { type: [{ type: String, enum: TOPICS }], default: undefined },
      email: String,
      source: String,
      confirmedAt: Date,
      language: String,
      languageChosen: Boolean,
      offAt: Date,
      gone: { type: { at: Date, why: String }, _id: false },
      pending: { type: { email: String, codeHash: String, endsAt: Date, wrong: Number }, _id: false },
      stopToken: String,
      hold: LEASE,
      createdAt: { type: Date, required: true },
    },
    STRICT,
  )
    .index({ broker: 1 }, { partialFilterExpression: { broker: { $exists: true } } })
    .index({ stopToken: 1 }, { unique: true, partialFilterExpression: { stopToken: { $exists: true } } }),
  'noticeAddresses',
);

const Notices = defineModel(
  'Notice',
  new Schema<Notice>(
    {
      _id: String,
      kind: { type: String, enum: NOTICE_KINDS, required: true },
      channel: { type: String, required: true },
      to: { type: String, required: true },
      accountId: String,
      data: { type: Schema.Types.Mixed, required: true },
      language: String,
      addressHash: String,
      askedBy: String,
      state: { type: String, enum: NOTICE_STATES, required: true },
      attempts: { type: Number, required: true },
      createdAt: { type: Date, required: true },
      since: { type: Date, required: true },
      nextTryAt: { type: Date, required: true },
      claim: LEASE,
      tried: { type: { at: Date, outcome: String, code: Number, problem: String }, _id: false },
      sentAt: Date,
      reply: String,
      forgetAt: Date,
    },
    STRICT,
  )
    .index({ channel: 1, nextTryAt: 1 }, { partialFilterExpression: { state: 'waiting' } })
    .index({ state: 1, createdAt: -1 })
    .index({ accountId: 1 }, { partialFilterExpression: { accountId: { $exists: true } } })
    .index({ to: 1 })
    .index({ addressHash: 1, createdAt: 1 }, { partialFilterExpression: { addressHash: { $exists: true } } })
    .index({ kind: 1, createdAt: 1 }, { partialFilterExpression: { kind: 'follow.confirm' } })
    .index({ kind: 1, createdAt: 1 }, { name: 'sign-in links', partialFilterExpression: { kind: 'sign-in.link' } })
    .index({ forgetAt: 1 }, { expireAfterSeconds: 0 }),
  'notices',
);

export const findAddress = (db: Db, id: string, tx?: Tx) =>
  Addresses(db)
    .findById(id)
    .session(tx ?? null)
    .lean<NoticeAddress>()
    .exec();

export const findByStopToken = (stopToken: string, tx: Tx) =>
  Addresses(tx.db).findOne({ stopToken }).session(tx).lean<NoticeAddress>().exec();

/** Returns the contacts of these brokers, oldest first. */
export const findContacts = (db: Db, brokers: readonly string[], tx?: Tx) =>
  Addresses(db)
    .find({ broker: { $in: brokers } })
    .sort({ createdAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<NoticeAddress[]>()
    .exec();

export const listContacts = (db: Db) =>
  Addresses(db)
    .find({ broker: { $exists: true } })
    .sort({ broker: 1, createdAt: 1, _id: 1 })
    .lean<NoticeAddress[]>()
    .exec();

export const insertAddress = async (address: NoticeAddress, tx: Tx): Promise<void> => {
  await Addresses(tx.db).create([address], { session: tx });
};

type AddressField = keyof Omit<NoticeAddress, '_id' | 'createdAt' | 'hold'>;

/** Changes an address: sets what has a value, and removes what has none. */
export const changeAddress = async (
  id: string,
  change: { readonly [Field in AddressField]?: NoticeAddress[Field] | undefined },
  tx: Tx,
): Promise<void> => {
  const entries = Object.entries(change);
  const $set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const $unset = Object.fromEntries(entries.filter(([, value]) => value === undefined).map(([field]) => [field, 1]));
  await Addresses(tx.db)
    .updateOne(
      { _id: id },
      { ...(Object.keys($set).length > 0 ? { $set } : {}), ...(Object.keys($unset).length > 0 ? { $unset } : {}) },
    )
    .session(tx);
};

export const findAddresses = (ids: readonly string[], tx: Tx) =>
  Addresses(tx.db)
    .find({ _id: { $in: ids } })
    .session(tx)
    .lean<NoticeAddress[]>()
    .exec();

export const deleteAddresses = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Addresses(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;

export const insertNotices = async (notices: readonly Notice[], tx: Tx): Promise<void> => {
  if (notices.length > 0) await Notices(tx.db).insertMany(notices, { session: tx });
};

/** Filter for the notices that may be taken. */
interface DueQuery {
  readonly channels: readonly Notice['channel'][];
  readonly now: Date;
  /** Addresses to which this process is just sending: each gets its messages one after the other. */
  readonly except: readonly string[];
}

/** Takes the message that has been due for longest, for a try of this name. */
export const claimDue = (db: Db, { channels, now, except }: DueQuery, claim: Lease) =>
  Notices(db)
    .findOneAndUpdate(
      { state: 'waiting', channel: { $in: channels }, nextTryAt: { $lte: now }, to: { $nin: except } },
      { $set: { claim, nextTryAt: claim.until }, $inc: { attempts: 1 } },
      { sort: { nextTryAt: 1, createdAt: 1 }, returnDocument: 'after' },
    )
    .lean<ClaimedNotice>()
    .exec();

/**
 * Holds an address for a message, and returns it; null if it is gone, or another message is being sent to it. While it
 * is held, an erasure does not remove it.
 */
export const holdAddress = (db: Db, id: string, hold: Lease, now: Date) =>
  Addresses(db)
    .findOneAndUpdate(
      { _id: id, $or: [{ hold: { $exists: false } }, { 'hold.until': { $lte: now } }] },
      { $set: { hold } },
      { returnDocument: 'after' },
    )
    .lean<NoticeAddress>()
    .exec();

/**
 * Returns whether an earlier message to the same address is still to be sent, and not only asked for later. Only
 * another weekly one waits for a weekly one.
 */
export const hasEarlierNotice = async (db: Db, { to, createdAt, kind }: Notice): Promise<boolean> =>
  (await Notices(db).exists({
    to,
    state: 'waiting',
    createdAt: { $lt: createdAt },
    ...(kind === 'follow.weekly' ? {} : { kind: { $ne: 'follow.weekly' } }),
    'tried.outcome': { $ne: 'later' },
  })) !== null;

export const releaseAddress = async (db: Db, id: string, by: string): Promise<void> => {
  await Addresses(db).updateOne({ _id: id, 'hold.by': by }, { $unset: { hold: 1 } });
};

/** Notes that an address does not exist. */
export const markGone = async (db: Db, id: string, gone: NonNullable<NoticeAddress['gone']>): Promise<void> => {
  await Addresses(db).updateOne({ _id: id }, { $set: { gone } });
};

/** Stores what came of a try, unless another process has the message by now, or an erasure removed it. */
export const settleNotice = async (
  db: Db,
  { _id, kind, claim: { by } }: ClaimedNotice,
  set: Partial<Pick<Notice, 'state' | 'nextTryAt' | 'tried' | 'sentAt' | 'reply' | 'forgetAt'>>,
): Promise<void> => {
  const isOver = set.state !== undefined;
  const canBeRetried = set.state === 'failed' && !NOTICES[kind].confirms;
  await Notices(db).updateOne(
    { _id, 'claim.by': by },
    { $set: set, $unset: { claim: 1, ...(isOver && !canBeRetried ? { 'data.code': 1 } : {}) } },
  );
};

/** Gives a message back as if it had not been tried. */
export const returnNotice = async (db: Db, { _id, claim: { by } }: ClaimedNotice, nextTryAt: Date): Promise<void> => {
  await Notices(db).updateOne(
    { _id, 'claim.by': by },
    { $set: { nextTryAt }, $unset: { claim: 1 }, $inc: { attempts: -1 } },
  );
};

export const deleteNotice = async (db: Db, { _id, claim: { by } }: ClaimedNotice): Promise<void> => {
  await Notices(db).deleteOne({ _id, 'claim.by': by });
};

/** Messages about these accounts, up to `limit` (0: no limit). */
export const findNoticesAbout = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Notices(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<Notice[]>()
    .exec();

export const deleteNotices = async (ids: readonly string[], tx: Tx): Promise<void> => {
  await Notices(tx.db)
    .deleteMany({ _id: { $in: ids } })
    .session(tx);
};

export const findNoticesTo = (ids: readonly string[], tx: Tx) =>
  Notices(tx.db)
    .find({ to: { $in: ids } })
    .session(tx)
    .lean<Notice[]>()
    .exec();

export const deleteNoticesTo = async (to: string, tx: Tx): Promise<number> =>
  (await Notices(tx.db).deleteMany({ to }).session(tx)).deletedCount;

/** Returns up to `limit` ids of addresses between two, in order. */
export const nextAddresses = async (
  db: Db,
  { after, before }: { readonly after: string; readonly before: string },
  limit: number,
): Promise<string[]> => {
  const rows = await Addresses(db)
    .find({ _id: { $gt: after, $lt: before } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<{ _id: string }[]>()
    .exec();
  return rows.map(({ _id }) => _id);
};

export const listNotices = (
  db: Db,
  filter: { readonly state?: NoticeState; readonly kind?: NoticeKind },
  limit: number,
) => Notices(db).find(filter).sort({ createdAt: -1, _id: 1 }).limit(limit).lean<Notice[]>().exec();

export const countNotices = (
  db: Db,
  filter: { readonly state?: NoticeState; readonly kind?: NoticeKind },
): Promise<number> => Notices(db).countDocuments(filter).exec();

export const findNotice = (db: Db, id: string, tx?: Tx) =>
  Notices(db)
    .findById(id)
    .session(tx ?? null)
    .lean<Notice>()
    .exec();

export const findFailed = (limit: number, tx: Tx) =>
  Notices(tx.db)
    .find({ state: 'failed' })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<Notice[]>()
    .exec();

/** Lets a message that failed be tried again, from now on as long as a new one. */
export const renewNotice = async (id: string, now: Date, tx: Tx): Promise<void> => {
  await Notices(tx.db)
    .updateOne(
      { _id: id },
      { $set: { state: 'waiting', attempts: 0, since: now, nextTryAt: now }, $unset: { forgetAt: 1, claim: 1 } },
    )
    .session(tx);
};

/** Stores that a message came back after it was taken. */
export const saveBounce = async (id: string, tried: NoticeAttempt, forgetAt: Date, tx: Tx): Promise<void> => {
  await Notices(tx.db)
    .updateOne({ _id: id }, { $set: { state: 'failed', tried, forgetAt } })
    .session(tx);
};

/** Counts codes that were asked for since a time: one account's, those to one address, or both. */
export const countCodes = (
  by: { readonly accountId?: string; readonly addressHash?: string; readonly askedBy?: string },
  since: Date,
  tx: Tx,
  kind: NoticeKind = 'address.code',
): Promise<number> =>
  Notices(tx.db)
    .countDocuments({ ...by, kind, createdAt: { $gt: since } })
    .session(tx)
    .exec();

/** How many messages are in each state, and since when the oldest one waits. */
export const readBacklog = async (db: Db) => {
  const rows = await Notices(db).aggregate<{ _id: NoticeState; count: number; oldest: Date }>([
    { $match: { state: { $in: ['waiting', 'failed'] } } },
    { $group: { _id: '$state', count: { $sum: 1 }, oldest: { $min: '$since' } } },
  ]);
  const of = (state: NoticeState) => rows.find(({ _id }) => _id === state);
  return { waiting: of('waiting')?.count ?? 0, failed: of('failed')?.count ?? 0, since: of('waiting')?.oldest ?? null };
};
