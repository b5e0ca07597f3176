import type { Scope } from '@broker-transparency/contract';
import mongoose, { Schema } from 'mongoose';
import { BATCHED_READ, batchLoaderById } from '../../platform/batch-loader.ts';
import type { Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { BlockReason } from './block-record.ts';
import { KYC_STATUSES, type Kyc, type KycStatus } from './kyc.rule.ts';

export interface Account {
  readonly _id: string;
  /** The operator's name for the person. Private. */
  readonly subject: string;
  /** Shown with the person's reviews. */
  readonly displayName: string;
  readonly country?: string;
  readonly kyc: Kyc;
  /** Number of complaints that the account has sent; see `countComplaint`. */
  readonly complaintsSent?: number;
  /** Set while all credentials of the account are refused. */
  readonly blocked?: {
    readonly reason: BlockReason;
    readonly at: Date;
    /** Id of the block that recognises the person. Absent from blocks of an earlier release. */
    readonly block?: string;
  };
  readonly createdAt: Date;
}

export interface Token {
  /** SHA-256 of the token. */
  readonly _id: string;
  /** Identifies the token in listings and in `token revoke`. */
  readonly id: string;
  readonly accountId: string;
  readonly scopes: Scope[];
  /** Absent from tokens of an earlier release, which did not know all scopes. */
  readonly scopesAreAll?: boolean;
  readonly label?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
  /** Id of the token that replaces it. */
  readonly replacedBy?: string;
}

/** A message of the KYC provider that was handled. */
export interface ReceivedEvent {
  /** The webhook-id of the message. */
  readonly _id: string;
  readonly outcome: 'applied' | 'ignored';
  readonly receivedAt: Date;
}

/** Longer than the days for which providers repeat a message. */
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

/** Finds up to `limit` verified accounts whose verification has ended. */
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

/** Returns the ids of all accounts of a person. */
export const findAccountsOfPerson = async (personHash: string, tx: Tx): Promise<string[]> => {
  const rows = await Accounts.find({ 'kyc.personHash': personHash }, { _id: 1 }).session(tx).lean<Account[]>().exec();
  return rows.map((row) => row._id);
};

/** Returns the account ids of each person with more than one account. */
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

/** Lists every blocked account. */
export const findBlocked = () => Accounts.find(BLOCKED).sort({ createdAt: 1, _id: 1 }).lean<Account[]>().exec();

/**
 * Removes the mark of these blocks from all accounts, and any mark from the accounts in `ids`. Returns the accounts as
 * they were.
 */
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

/** Blocks of an earlier release, which did not store whom a block is about. */
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
 * Counts a complaint of an account. Concurrent transactions that do so conflict, and all but one restart, so that each
 * reads all complaints of the account. Returns false if the account is gone.
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

/** Finds a token by its hash, with its account if that exists. */
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

/** Records the replacement of a token and its new end. */
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

/** Revokes a live token. Returns false if none has that id. */
export const revokeToken = async (id: string, at: Date, tx: Tx): Promise<boolean> => {
  const { modifiedCount } = await Tokens.updateOne(
    { id, revokedAt: { $exists: false } },
    { $set: { revokedAt: at } },
  ).session(tx);
  return modifiedCount === 1;
};

/** Records the use of tokens. */
export const touchTokens = async (hashes: readonly string[], at: Date): Promise<void> => {
  await Tokens.updateMany({ _id: { $in: hashes } }, { $max: { lastUsedAt: at } });
};

/** Lists accounts, oldest first. */
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
