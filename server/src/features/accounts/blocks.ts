import { randomBytes } from 'node:crypto';
import type { TxContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/mongo.ts';
import { type BlockReason, type BlockRow, personRowId, subjectRowId } from './block-record.ts';
import * as blocks from './block-store.ts';
import * as store from './store.ts';

type Mark = Required<NonNullable<store.Account['blocked']>>;

export const newMark = (reason: BlockReason, at: Date): Mark => ({ reason, at, block: randomBytes(6).toString('hex') });

/** Of an account that an earlier release blocked, a new one. */
const markOf = ({ blocked }: store.Account): Mark | undefined =>
  blocked && { ...newMark(blocked.reason, blocked.at), ...blocked };

const knownBy = async (account: store.Account, accounts: readonly store.Account[], mark: Mark): Promise<BlockRow[]> => {
  const row = (_id: string, accountId: string): BlockRow => ({ _id, accountId, ...mark });
  const rows = accounts.map(async ({ _id, subject }) => row(await subjectRowId(subject), _id));
  const hash = account.kyc.personHash;
  return [...(await Promise.all(rows)), ...(hash === undefined ? [] : [row(personRowId(hash), account._id)])];
};

/**
 * Makes a block hold for every account of the person, and know all of them again. Returns how many accounts there are.
 */
export const spreadBlock = async (
  c: TxContext,
  { reason, at, block }: Mark,
  account: store.Account,
): Promise<number> => {
  const hash = account.kyc.personHash;
  const accounts = hash === undefined ? [account] : await store.findByPersonHash(hash, c.tx);
  const mark = { reason, at, block };
  await blocks.keepRows(await knownBy(account, accounts, mark), c.tx);
  const unmarked = accounts.filter(({ blocked }) => blocked?.block === undefined);
  await store.blockAccounts(
    unmarked.map(({ _id }) => _id),
    mark,
    c.tx,
  );
  for (const { _id } of unmarked.filter(({ blocked }) => blocked === undefined)) {
    const change = { before: { blocked: false }, after: { blocked: true }, reason };
    c.audit('account.blocked', { kind: 'account', id: _id }, change);
  }
  return accounts.length;
};

/** The block that an account begins with: one of its subject, whose earlier account was erased. */
export const blockOfSubject = async (subject: string, tx: Tx): Promise<Mark | undefined> => {
  const row = (await blocks.hasBlocks(tx)) ? await blocks.findRow(await subjectRowId(subject), tx) : null;
  return row ? { reason: row.reason, at: row.at, block: row.block } : undefined;
};

/** What follows when an account turns out to be of this person: a block of either is one of both. */
export const recognisePerson = async (c: TxContext, account: store.Account): Promise<void> => {
  const { _id: accountId, kyc } = account;
  if (kyc.personHash === undefined) return;
  const _id = personRowId(kyc.personHash);
  const mark = (await blocks.findRow(_id, c.tx)) ?? markOf(account);
  if (mark) await spreadBlock(c, mark, account);
  else await blocks.reserveRow({ _id, accountId, ...newMark('abuse', c.now) }, c.tx);
};

/** Gives the blocks of an earlier release, which stand in accounts only, what they know the person by. */
export const settleBlocks = async (c: TxContext, accountIds: readonly string[]): Promise<void> => {
  for (const account of await store.findAccounts(accountIds, c.tx)) {
    const mark = account.blocked?.block === undefined ? markOf(account) : undefined;
    if (mark) await spreadBlock(c, mark, account);
  }
};
