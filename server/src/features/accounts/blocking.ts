import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { appendToBlockList, readBlockList } from './block-list.ts';
import { type BlockReason, type BlockRow, personRowId, subjectRowId } from './block-record.ts';
import * as blocks from './block-store.ts';
import { createMark, spreadBlock } from './blocks.ts';
import * as store from './store.ts';

/**
 * Appends the blocks, and the ends of blocks, that only the database has to the list outside it. A dry run leaves the
 * list as it is.
 */
export const completeBlockList = async (db: Db, path: string): Promise<void> => {
  if (db.takesBack) return;
  const { rows, lifted } = await readBlockList(path);
  const ended = (await blocks.listLifted(db)).filter((id) => !lifted.has(id));
  const missing = (await blocks.listBlockRows(db)).filter(({ _id, block }) => rows.get(_id)?.block !== block);
  await appendToBlockList(path, [...ended.map((id) => ({ lifted: id })), ...missing]);
};

/**
 * Refuses every credential of a person from now on, for all present and future accounts. Returns the number of their
 * accounts.
 * @throws DomainError
 */
export const blockPerson = async (
  context: Context,
  subject: string,
  reason: BlockReason,
  listPath: string,
): Promise<number> => {
  const count = await inTransaction(context, async (c) => {
    const account = await store.findAccountBySubject(c.db, subject, c.tx);
    if (!account) throw new DomainError('not_found', `No account has the subject "${subject}".`);
    if (account.blocked)
      throw new DomainError(
        'state_conflict',
        `The account of ${subject} is blocked already: ${account.blocked.reason}.`,
      );
    return spreadBlock(c, createMark(reason, c.now), account);
  });
  await completeBlockList(context.db, listPath);
  return count;
};

/** Returns the ids of the rows that would recognise this person. */
const listRowIds = async (subject: string, account: store.Account | null): Promise<string[]> => {
  const hash = account?.kyc.personHash;
  return [await subjectRowId(subject), ...(hash === undefined ? [] : [personRowId(hash)])];
};

/** Lifts blocks from everybody. */
const liftBlocks = async (c: TxContext, ids: readonly string[]): Promise<void> => {
  const rows = await blocks.findBlockRows(ids, c.tx);
  await blocks.deleteBlocks(ids, c.tx);
  await blocks.saveLifted(ids, c.now, c.tx);
  const accounts = await store.unblockAccounts(ids, c.now, c.tx);
  const reasons = new Map(rows.map(({ accountId, reason }) => [accountId, reason]));
  for (const id of new Set([...rows.map(({ accountId }) => accountId), ...accounts.map(({ _id }) => _id)])) {
    const reason = accounts.find(({ _id }) => _id === id)?.blocked?.reason ?? reasons.get(id) ?? null;
    const change = { before: { blocked: true, reason }, after: { blocked: false }, reason: 'operator_command' };
    c.audit('account.unblocked', { kind: 'account', id }, change);
  }
};

/** Lifts every block of a person, even if their accounts were erased. @throws DomainError */
export const unblockPerson = async (context: Context, subject: string, listPath: string): Promise<void> => {
  await inTransaction(context, async (c) => {
    const account = await store.findAccountBySubject(c.db, subject, c.tx);
    const rows = await blocks.findBlocks(await listRowIds(subject, account), c.tx);
    const ids = [...new Set([...rows.map(({ block }) => block), ...(account?.blocked ? [account.blocked.block] : [])])];
    if (ids.length === 0)
      throw account
        ? new DomainError('state_conflict', `The account of ${subject} is not blocked.`)
        : new DomainError('not_found', `No account has the subject "${subject}", and no block.`);
    await liftBlocks(c, ids);
  });
  await completeBlockList(context.db, listPath);
};

/** A block as operators see it. */
export interface BlockSummary {
  readonly id: string;
  readonly reason: BlockReason;
  readonly at: Date;
  /** Subjects of the existing accounts. */
  readonly subjects: readonly string[];
  /** True if the block recognises the person by the KYC provider's reference. */
  readonly person: boolean;
}

/** Lists the blocks in force, oldest first. */
export const listBlocks = async (db: Db): Promise<BlockSummary[]> => {
  const byBlock = Map.groupBy(await blocks.listBlockRows(db), ({ block }) => block);
  const accounts = Map.groupBy(await store.findBlocked(db), ({ blocked }) => blocked?.block ?? '');
  return [...byBlock].map(([id, rows]) => {
    const { reason, at } = rows[0] as BlockRow;
    const subjects = (accounts.get(id) ?? []).map(({ subject }) => subject);
    return { id, reason, at, subjects, person: rows.some(({ _id }) => _id.startsWith('person:')) };
  });
};

/** The result of replaying the list of blocks. */
export interface BlockReplay {
  /** Number of rows that the database lacked. */
  readonly renewed: number;
  readonly lifted: number;
  readonly unreadable: readonly number[];
}

/** Renews and lifts blocks as the list says, after a restore from an older backup. */
export const replayBlocks = async (context: Context, listPath: string): Promise<BlockReplay> => {
  const list = await readBlockList(listPath);
  const stored = await blocks.listBlockRows(context.db);
  const ended = new Set(await blocks.listLifted(context.db));
  const inForce = new Set(stored.map(({ block }) => block));
  const lifted = [...list.lifted].filter((id) => inForce.has(id) || !ended.has(id));
  if (lifted.length > 0) await inTransaction(context, (c) => liftBlocks(c, lifted));
  const known = new Set(stored.map(({ _id }) => _id));
  const missing = [...list.rows.values()].filter(({ _id, block }) => !known.has(_id) && !ended.has(block));
  for (const row of missing) await inTransaction(context, (c) => renewBlock(c, row));
  await completeBlockList(context.db, listPath);
  return {
    renewed: missing.length,
    lifted: lifted.filter((id) => inForce.has(id)).length,
    unreadable: list.unreadable,
  };
};

/** Appends to a list the lines of another that it lacks. A block that either list lifts stays lifted. */
export const mergeBlockLists = async (path: string, other: string): Promise<void> => {
  const [own, more] = [await readBlockList(path), await readBlockList(other)];
  const rows = [...more.rows.values()].filter(({ _id, block }) => !own.rows.has(_id) && !own.lifted.has(block));
  const lifted = [...more.lifted].filter((id) => !own.lifted.has(id));
  await appendToBlockList(path, [...lifted.map((id) => ({ lifted: id })), ...rows]);
};

const renewBlock = async (c: TxContext, row: BlockRow): Promise<void> => {
  await blocks.saveBlockRows([row], c.tx);
  const [kind, hash = ''] = row._id.split(':', 2);
  const own =
    kind === 'person'
      ? await store.findByPersonHash(c.db, hash, c.tx)
      : await store.findAccounts([row.accountId], c.tx);
  for (const account of own) await spreadBlock(c, row, account);
};
