import type { Scope } from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { BATCHED_READ, batchLoaderById } from '../../platform/batch-loader.ts';
import { type Db, defineModel, perDb, type Tx } from '../../platform/mongo.ts';
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
    /** Id of the block that recognises the person. */
    readonly block: string;
  };
  /** When a block of the account was lifted last. Sessions that it ended stay ended. */
  readonly unblockedAt?: Date;
  readonly createdAt: Date;
}

export interface StoredToken {
  /** SHA-256 of the token. */
  readonly _id: string;
  /** Identifies the token in listings and in `token revoke`. */
  readonly id: string;
  readonly accountId: string;
  readonly scopes: Scope[];
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

const Accounts = defineModel(
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
      unblockedAt: Date,
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

const Tokens = defineModel(
  'Token',
  new Schema<StoredToken>(
    {
      _id: String,
      id: { type: String, required: true },
      accountId: { type: String, required: true },
      scopes: { type: [String], required: true },
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

const ReceivedEvents = defineModel(
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

const accountLoader = perDb((db) =>
  batchLoaderById((ids: string[]) =>
    Accounts(db)
      .collection.find<Account>({ _id: { $in: ids as never[] } }, BATCHED_READ)
      .toArray(),
  ),
);

export const findAccount = (db: Db, id: string): Promise<Account | null> => accountLoader(db)(id);

export const findAccountIn = (id: string, tx: Tx) => Accounts(tx.db).findById(id).session(tx).lean<Account>().exec();

export const findAccountBySubject = (db: Db, subject: string, tx?: Tx) =>
  Accounts(db)
    .findOne({ subject })
    .session(tx ?? null)
    .lean<Account>()
    .exec();

export const insertAccount = async (account: Account, tx: Tx): Promise<void> => {
  await Accounts(tx.db).create([account], { session: tx });
};

export const setKyc = async (id: string, kyc: Kyc, tx: Tx): Promise<void> => {
  await Accounts(tx.db).updateOne({ _id: id }, { $set: { kyc } }).session(tx);
};

/** Finds up to `limit` verified accounts whose verification has ended. */
export const findLapsed = (at: Date, limit: number, tx: Tx) =>
  Accounts(tx.db)
    .find({ 'kyc.status': 'verified', 'kyc.expiresAt': { $lte: at } })
    .sort({ 'kyc.expiresAt': 1 })
    .limit(limit)
    .session(tx)
    .lean<Account[]>()
    .exec();

export const markExpired = async (ids: readonly string[], tx: Tx): Promise<void> => {
  await Accounts(tx.db)
    .updateMany({ _id: { $in: ids } }, { $set: { 'kyc.status': 'expired' } })
    .session(tx);
};

/** Returns the ids of all accounts of a person. */
export const findPersonAccountIds = async (personHash: string, tx: Tx): Promise<string[]> => {
  const rows = await Accounts(tx.db)
    .find({ 'kyc.personHash': personHash }, { _id: 1 })
    .session(tx)
    .lean<Account[]>()
    .exec();
  return rows.map((row) => row._id);
};

/** Returns the account ids of each person with more than one account. */
export const findSharedPersons = async (db: Db): Promise<string[][]> => {
  const rows = await Accounts(db).aggregate<{ ids: string[] }>([
    { $match: { 'kyc.personHash': { $exists: true } } },
    { $group: { _id: '$kyc.personHash', ids: { $push: '$_id' } } },
    { $match: { 'ids.1': { $exists: true } } },
    { $sort: { _id: 1 } },
  ]);
  return rows.map((row) => row.ids);
};

export const blockAccounts = async (
  ids: readonly string[],
  blocked: NonNullable<Account['blocked']>,
  tx: Tx,
): Promise<void> => {
  await Accounts(tx.db)
    .updateMany({ _id: { $in: ids } }, { $set: { blocked } })
    .session(tx);
};

const BLOCKED = { 'blocked.at': { $exists: true } };

/** Lists every blocked account. */
export const findBlocked = (db: Db) =>
  Accounts(db).find(BLOCKED).sort({ createdAt: 1, _id: 1 }).lean<Account[]>().exec();

/** Removes the mark of these blocks from all accounts. Returns the accounts as they were. */
export const unblockAccounts = async (blocks: readonly string[], at: Date, tx: Tx): Promise<Account[]> => {
  const accounts = await Accounts(tx.db)
    .find({ ...BLOCKED, 'blocked.block': { $in: blocks } })
    .session(tx)
    .lean<Account[]>()
    .exec();
  const found = { _id: { $in: accounts.map(({ _id }) => _id) } };
  await Accounts(tx.db)
    .updateMany(found, { $unset: { blocked: 1 }, $set: { unblockedAt: at } })
    .session(tx);
  return accounts;
};

/**
 * Counts a complaint of an account. Concurrent transactions that do so conflict, and all but one restart, so that each
 * reads all complaints of the account. Returns false if the account is gone.
 */
export const countComplaint = async (id: string, tx: Tx): Promise<boolean> =>
  (
    await Accounts(tx.db)
      .updateOne({ _id: id }, { $inc: { complaintsSent: 1 } })
      .session(tx)
  ).matchedCount === 1;

export const findReceivedEvent = (id: string, tx: Tx) =>
  ReceivedEvents(tx.db).findById(id).session(tx).lean<ReceivedEvent>().exec();

export const insertReceivedEvent = async (event: ReceivedEvent, tx: Tx): Promise<void> => {
  await ReceivedEvents(tx.db).create([event], { session: tx });
};

export const setProfile = async (
  id: string,
  profile: { displayName?: string; country?: string },
  tx: Tx,
): Promise<void> => {
  await Accounts(tx.db).updateOne({ _id: id }, { $set: profile }).session(tx);
};

const ITS_ACCOUNT = { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts' };

const tokenLoader = perDb((db) =>
  batchLoaderById((hashes: string[]) =>
    Tokens(db)
      .collection.aggregate<StoredToken & { readonly accounts: readonly Account[] }>(
        [{ $match: { _id: { $in: hashes } } }, { $lookup: ITS_ACCOUNT }],
        BATCHED_READ,
      )
      .toArray(),
  ),
);

/** Finds a token by its hash, with its account if that exists. */
export const findToken = (db: Db, hash: string) => tokenLoader(db)(hash);

export const insertToken = async (token: StoredToken, tx: Tx): Promise<void> => {
  await Tokens(tx.db).create([token], { session: tx });
};

export const findTokenById = (id: string, tx: Tx) =>
  Tokens(tx.db).findOne({ id }).session(tx).lean<StoredToken>().exec();

/** Records the replacement of a token and its new end. */
export const replaceToken = async (
  id: string,
  change: { readonly replacedBy: string; readonly expiresAt: Date },
  tx: Tx,
): Promise<void> => {
  await Tokens(tx.db).updateOne({ id }, { $set: change }).session(tx);
};

export const listTokens = (db: Db, accountId?: string) =>
  Tokens(db)
    .find(accountId === undefined ? {} : { accountId })
    .sort({ createdAt: 1 })
    .lean<StoredToken[]>()
    .exec();

/** Revokes a live token. Returns false if none has that id. */
export const revokeToken = async (id: string, at: Date, tx: Tx): Promise<boolean> => {
  const { modifiedCount } = await Tokens(tx.db)
    .updateOne({ id, revokedAt: { $exists: false } }, { $set: { revokedAt: at } })
    .session(tx);
  return modifiedCount === 1;
};

/** Records the use of tokens. */
export const touchTokens = async (db: Db, hashes: readonly string[], at: Date): Promise<void> => {
  await Tokens(db).updateMany({ _id: { $in: hashes } }, { $max: { lastUsedAt: at } });
};

/** Lists accounts, oldest first. */
export const listAccounts = (db: Db, status: KycStatus | undefined, limit: number) =>
  Accounts(db)
    .find(status === undefined ? {} : { 'kyc.status': status })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .lean<Account[]>()
    .exec();

export const findAccounts = (ids: readonly string[], tx: Tx) =>
  Accounts(tx.db)
    .find({ _id: { $in: ids } })
    .session(tx)
    .lean<Account[]>()
    .exec();

export const findByPersonHash = (db: Db, personHash: string, tx?: Tx) =>
  Accounts(db)
    .find({ 'kyc.personHash': personHash })
    .sort({ createdAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<Account[]>()
    .exec();

export const findAccountTokens = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Tokens(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<StoredToken[]>()
    .exec();

export const deleteAccountTokens = async (accountIds: readonly string[], limit: number, tx: Tx): Promise<number> => {
  const tokens = await findAccountTokens(accountIds, tx, limit);
  await Tokens(tx.db)
    .deleteMany({ _id: { $in: tokens.map(({ _id }) => _id) } })
    .session(tx);
  return tokens.length;
};

export const deleteAccounts = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Accounts(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;
