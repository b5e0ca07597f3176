import { randomBytes } from 'node:crypto';
import type { TxContext } from '../../ledger/context.ts';
import type { Tx } from '../../platform/mongo.ts';
import { type BlockReason, type BlockRow, personRowId, subjectRowId } from './block-record.ts';
import * as blocks from './block-store.ts';
import * as store from './store.ts';

type BlockMark = NonNullable<store.Account['blocked']>;

export const createMark = (reason: BlockReason, at: Date): BlockMark => ({
  reason,
  at,
  block: randomBytes(6).toString('hex'),
});

const buildBlockRows = async (
  account: store.Account,
  accounts: readonly store.Account[],
  mark: BlockMark,
): Promise<BlockRow[]> => {
  const row = (_id: string, accountId: string): BlockRow => ({ _id, accountId, ...mark });
  const rows = accounts.map(async ({ _id, subject }) => row(await subjectRowId(subject), _id));
  const hash = account.kyc.personHash;
  return [...(await Promise.all(rows)), ...(hash === undefined ? [] : [row(personRowId(hash), account._id)])];
};

/**
 * Extends a block to every account of the person, and stores the hashes of all of them. Returns the number of accounts.
 */
export const spreadBlock = async (
  c: TxContext,
  { reason, at, block }: BlockMark,
  account: store.Account,
): Promise<number> => {
  const hash = account.kyc.personHash;
  const accounts = hash === undefined ? [account] : await store.findByPersonHash(c.db, hash, c.tx);
  const mark = { reason, at, block };
  await blocks.saveBlockRows(await buildBlockRows(account, accounts, mark), c.tx);
  const unmarked = accounts.filter(({ blocked }) => blocked === undefined);
  await store.blockAccounts(
    unmarked.map(({ _id }) => _id),
    mark,
    c.tx,
  );
  for (const { _id } of unmarked) {
    const change = { before: { blocked: false }, after: { blocked: true }, reason };
    c.audit('account.blocked', { kind: 'account', id: _id }, change);
  }
  return accounts.length;
};

/** Returns the block of a subject whose earlier account was erased. A new account of the subject starts with it. */
export const findSubjectBlock = async (subject: string, tx: Tx): Promise<BlockMark | undefined> => {
  const row = (await blocks.hasBlocks(tx)) ? await blocks.findBlockRow(await subjectRowId(subject), tx) : null;
  return row ? { reason: row.reason, at: row.at, block: row.block } : undefined;
};

/** Applies the block of a person to an account that turns out to be theirs, and the account's block to the person. */
export const recognisePerson = async (c: TxContext, account: store.Account): Promise<void> => {
  const { _id: accountId, kyc } = account;
  if (kyc.personHash === undefined) return;
  const _id = personRowId(kyc.personHash);
  const mark = (await blocks.findBlockRow(_id, c.tx)) ?? account.blocked;
  if (mark) await spreadBlock(c, mark, account);
  else await blocks.reserveRow({ _id, accountId, ...createMark('abuse', c.now) }, c.tx);
};
