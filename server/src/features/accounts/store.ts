import type { Scope } from '@broker-transparency/contract';
import mongoose, { Schema } from 'mongoose';
import { BATCHED_READ, batchLoaderById } from '../../platform/batch-loader.ts';
import type { Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { BlockReason } from './block-record.ts';
import { KYC_STATUSES, type Kyc, type KycStatus } from './kyc.rule.ts';

export interface Account {
  readonly _id: string;
  /** The operator's name for the person; private. */
  readonly subject: string;
  /** Shown with their reviews. */
  readonly displayName: string;
  readonly country?: string;
  readonly kyc: Kyc;
  /** Complaints it has sent: see `countComplaint`. */
  readonly complaintsSent?: number;
  /** Present while none of its credentials is good. */
  readonly blocked?: {
    readonly reason: BlockReason;
    readonly at: Date;
    /** Id of the block, which knows the person; an earlier release had none. */
    readonly block?: string;
  };
  readonly createdAt: Date;
}

export interface Token {
  /** SHA-256 of the token. */
  readonly _id: string;
  /** Names it in listings and in `token revoke`. */
  readonly id: string;
  readonly accountId: string;
  readonly scopes: Scope[];
  /** Absent where an earlier release made it, which did not know all scopes. */
  readonly scopesAreAll?: boolean;
  readonly label?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
  /** Id of the token that was made in its place. */
  readonly replacedBy?: string;
}

/** A message of the KYC provider that was handled. */
export interface ReceivedEvent {
  /** Its webhook-id. */
  readonly _id: string;
  readonly outcome: 'applied' | 'ignored';
  readonly receivedAt: Date;
}

/** Providers repeat a message for some days. */
const EVENT_KEPT_SECONDS = 30 * 86_400;

const Accounts = mongoose.model(
  'Account',
  new Schema<Account>(
    {
      _id: String,
      subject: { type: String, required: true },
      displayName: { type: String, required: true },
      country: String,
      kyc: {
        status: { type: String, enum: KYC_STATUSES, required: true },
        provider: String,
        personHash: String,
        verifiedAt: Date,
        expiresAt: Date,
        changedAt: Date,
      },
      complaintsSent: Number,
      blocked: { type: { reason: String, at: Date, block: String }, _id: false },
      createdAt: { type: Date, required: true },
    },
    STRICT,
  )
    .index({ subject: 1 }, { unique: true })
    .index({ 'kyc.personHash': 1 }, { partialFilterExpression: { 'kyc.personHash': { $exists: true } } })
    .index({ 'blocked.block': 1 }, { partialFilterExpression: { 'blocked.at': { $exists: true } } })
    .index({ 'kyc.expiresAt': 1 }, { partialFilterExpression: { 'kyc.status': 'verified' } }),
  'accounts',
);

const Tokens = mongoose.model(
  'Token',
  new Schema<Token>(
    {
      _id: String,
      id: { type: String, required: true },
      accountId: { type: String, required: true },
      scopes: { type: [String], required: true },
      scopesAreAll: Boolean,
      label: String,
      createdAt: { type: Date, required: true },
      expiresAt: { type: Date, required: true },
      revokedAt: Date,
      lastUsedAt: Date,
      replacedBy: String,
    },
    STRICT,
  )
    .index({ id: 1 }, { unique: true })
    .index({ accountId: 1 }),
  'tokens',
);

const ReceivedEvents = mongoose.model(
  'ReceivedKycEvent',
  new Schema<ReceivedEvent>(
    {
      _id: String,
      outcome: { type: String, enum: ['applied', 'ignored'], required: true },
      receivedAt: { type: Date, required: true },
    },
    STRICT,
  ).index({ receivedAt: 1 }, { expireAfterSeconds: EVENT_KEPT_SECONDS }),
  'receivedKycEvents',
);

export const findAccount = batchLoaderById((ids) =>
  Accounts.collection.find<Account>({ _id: { $in: ids as never[] } }, BATCHED_READ).toArray(),
);

export const findAccountBySubject = (subject: string, tx?: Tx) =>
  Accounts.findOne({ subject })
    .session(tx ?? null)
    .lean<Account>()
    .exec();

export const insertAccount = async (account: Account, tx: Tx): Promise<void> => {
  await Accounts.create([account], { session: tx });
};

export const setKyc = async (id: string, kyc: Kyc, tx: Tx): Promise<void> => {
  await Accounts.updateOne({ _id: id }, { $set: { kyc } }).session(tx);
};

/** Up to `limit` accounts whose verification has ended and does not say so. */
export const findLapsed = (at: Date, limit: number, tx: Tx) =>
  Accounts.find({ 'kyc.status': 'verified', 'kyc.expiresAt': { $lte: at } })
    .sort({ 'kyc.expiresAt': 1 })
    .limit(limit)
    .session(tx)
    .lean<Account[]>()
    .exec();

export const markExpired = async (ids: readonly string[], tx: Tx): Promise<void> => {
  await Accounts.updateMany({ _id: { $in: ids } }, { $set: { 'kyc.status': 'expired' } }).session(tx);
};

/** Ids of every account of a person. */
export const findAccountsOfPerson = async (personHash: string, tx: Tx): Promise<string[]> => {
  const rows = await Accounts.find({ 'kyc.personHash': personHash }, { _id: 1 }).session(tx).lean<Account[]>().exec();
  return rows.map((row) => row._id);
};

/** People with more than one account, as the ids of these. */
export const findSharedPersons = async (): Promise<string[][]> => {
  const rows = await Accounts.aggregate<{ ids: string[] }>([
    { $match: { 'kyc.personHash': { $exists: true } } },
    { $group: { _id: '$kyc.personHash', ids: { $push: '$_id' } } },
    { $match: { 'ids.1': { $exists: true } } },
    { $sort: { _id: 1 } },
  ]);
  return rows.map((row) => row.ids);
};

export const blockAccounts = async (
  ids: readonly string[],
  blocked: Required<NonNullable<Account['blocked']>>,
  tx: Tx,
): Promise<void> => {
  await Accounts.updateMany({ _id: { $in: ids } }, { $set: { blocked } }).session(tx);
};

const BLOCKED = { 'blocked.at': { $exists: true } };

/** Every account that is blocked. */
export const findBlocked = () => Accounts.find(BLOCKED).sort({ createdAt: 1, _id: 1 }).lean<Account[]>().exec();

/** Takes the mark of these blocks from all accounts, and any mark from those named. Returns them as they were. */
export const unblockAccounts = async (
  blocks: readonly string[],
  ids: readonly string[],
  tx: Tx,
): Promise<Account[]> => {
  const accounts = await Accounts.find({
    ...BLOCKED,
    $or: [{ 'blocked.block': { $in: blocks } }, { _id: { $in: ids } }],
  })
    .session(tx)
    .lean<Account[]>()
    .exec();
  const found = { _id: { $in: accounts.map(({ _id }) => _id) } };
  await Accounts.updateMany(found, { $unset: { blocked: 1 } }).session(tx);
  return accounts;
};

/** Blocked by an earlier release, which did not note whom a block is about. */
const UNSETTLED = { ...BLOCKED, 'blocked.block': { $exists: false } };

export const countUnsettledBlocks = (): Promise<number> => Accounts.countDocuments(UNSETTLED);

export const nextUnsettledBlocks = async (after: string | undefined): Promise<string[]> => {
  const rows = await Accounts.find(
    { ...UNSETTLED, ...(after === undefined ? {} : { _id: { $gt: after } }) },
    { _id: 1 },
  )
    .sort({ _id: 1 })
    .limit(50)
    .lean<Account[]>()
    .exec();
  return rows.map(({ _id }) => _id);
};

/**
 * Counts a complaint of an account. Of several transactions that do so at once all but one begin again: what each of them reads of the
 * account's complaints is what there is. False where the account is gone.
 */
export const countComplaint = async (id: string, tx: Tx): Promise<boolean> =>
  (await Accounts.updateOne({ _id: id }, { $inc: { complaintsSent: 1 } }).session(tx)).matchedCount === 1;

export const findReceivedEvent = (id: string, tx: Tx) =>
  ReceivedEvents.findById(id).session(tx).lean<ReceivedEvent>().exec();

export const insertReceivedEvent = async (event: ReceivedEvent, tx: Tx): Promise<void> => {
  await ReceivedEvents.create([event], { session: tx });
};

export const setProfile = async (
  id: string,
  profile: { displayName?: string; country?: string },
  tx: Tx,
): Promise<void> => {
  await Accounts.updateOne({ _id: id }, { $set: profile }).session(tx);
};

const ITS_ACCOUNT = { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts' };

/** A token by its hash, and with it the account it stands for, where that is there. */
export const findToken = batchLoaderById((hashes) =>
  Tokens.collection
    .aggregate<Token & { readonly accounts: readonly Account[] }>(
      [{ $match: { _id: { $in: hashes } } }, { $lookup: ITS_ACCOUNT }],
      BATCHED_READ,
    )
    .toArray(),
);

export const insertToken = async (token: Token, tx: Tx): Promise<void> => {
  await Tokens.create([token], { session: tx });
};

export const findTokenById = (id: string, tx: Tx) => Tokens.findOne({ id }).session(tx).lean<Token>().exec();

/** Notes what replaces a token, and when that one ends. */
export const replaceToken = async (
  id: string,
  change: { readonly replacedBy: string; readonly expiresAt: Date },
  tx: Tx,
): Promise<void> => {
  await Tokens.updateOne({ id }, { $set: change }).session(tx);
};

export const listTokens = (accountId?: string) =>
  Tokens.find(accountId === undefined ? {} : { accountId })
    .sort({ createdAt: 1 })
    .lean<Token[]>()
    .exec();

/** Revokes one live token. False where there is none of that id. */
export const revokeToken = async (id: string, at: Date, tx: Tx): Promise<boolean> => {
  const { modifiedCount } = await Tokens.updateOne(
    { id, revokedAt: { $exists: false } },
    { $set: { revokedAt: at } },
  ).session(tx);
  return modifiedCount === 1;
};

/** Notes the use of tokens. */
export const touchTokens = async (hashes: readonly string[], at: Date): Promise<void> => {
  await Tokens.updateMany({ _id: { $in: hashes } }, { $max: { lastUsedAt: at } });
};

/** Accounts, oldest first. */
export const listAccounts = (status: KycStatus | undefined, limit: number) =>
  Accounts.find(status === undefined ? {} : { 'kyc.status': status })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .lean<Account[]>()
    .exec();

export const findAccounts = (ids: readonly string[], tx: Tx) =>
  Accounts.find({ _id: { $in: ids } })
    .session(tx)
    .lean<Account[]>()
    .exec();

export const findByPersonHash = (personHash: string, tx?: Tx) =>
  Accounts.find({ 'kyc.personHash': personHash })
    .sort({ createdAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<Account[]>()
    .exec();

export const findTokensOf = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Tokens.find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<Token[]>()
    .exec();

export const deleteTokensOf = async (accountIds: readonly string[], limit: number, tx: Tx): Promise<number> => {
  const tokens = await findTokensOf(accountIds, tx, limit);
  await Tokens.deleteMany({ _id: { $in: tokens.map(({ _id }) => _id) } }).session(tx);
  return tokens.length;
};

export const deleteAccounts = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (await Accounts.deleteMany({ _id: { $in: ids } }).session(tx)).deletedCount;
