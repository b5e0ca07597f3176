import { refuseBrokersWithdrawal, withdrawBrokers } from '../../features/brokers/actions.ts';
import { refuseRegulatorsWithdrawal, withdrawRegulators } from '../../features/regulators/actions.ts';
import { matchWarnings, takeBackReading, withdrawWarnings } from '../../features/warnings/actions.ts';
import { findLastEntry } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { type BatchItem, hashState, type StateKeeper } from '../../ledger/import-kind.ts';
import { findRunStatements } from '../../ledger/statements/record.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { refuseBrokersInUse } from './brokers.ts';
import { KINDS, type KindName } from './kinds.ts';
import { formatUndoReason, parseRunId } from './runs.ts';
import type { RunDocument } from './store.ts';
import * as store from './store.ts';

/** Returns the refusal to undo a run. The message names the next step. */
const toUndoRefusal = (message: string): DomainError => new DomainError('state_conflict', message);

/** Returns how states of a kind are read and restored. */
const findKeeper = (kind: string): StateKeeper => KINDS[kind as KindName].states as StateKeeper;

const groupByKind = (items: readonly BatchItem[]) => Map.groupBy(items, (item) => item.kind);

/** Returns the error that names the later change of a record. */
const toChangedError = async ({ kind, key }: BatchItem, run: string, tx: Tx): Promise<DomainError> => {
  const { subject } = findKeeper(kind);
  const last = await findLastEntry(subject, key, tx);
  const what = `${subject} "${key}" is not as run ${run} left it`;
  const other = last === null ? undefined : parseRunId(last.reason);
  if (last === null || other === run) return toUndoRefusal(`${what}: restore it by an import of its own first.`);
  const when = `${last.action} on ${last.at.toISOString()}`;
  return toUndoRefusal(
    other !== undefined
      ? `${what}: ${when} changed it, in run ${other}. Undo that run first: import undo ${other}`
      : `${what}: ${when} changed it.`,
  );
};

/** Checks that every record that the batch wrote is unchanged since, and that new records may be removed. */
const compare = async (items: readonly BatchItem[], run: string, tx: Tx): Promise<void> => {
  for (const [kind, group] of groupByKind(items)) {
    const { isPersonal, read, refuseInUse } = findKeeper(kind);
    const now = await read(
      group.map((item) => item.key),
      tx,
    );
    const left = group.filter((item) => !isPersonal || now.has(item.key));
    const changed = left.find((item) => hashState(now.get(item.key)) !== item.after);
    if (changed) throw await toChangedError(changed, run, tx);
    const going = left.filter((item) => item.before === null);
    if (going.length > 0)
      await refuseInUse?.(
        going.map((item) => item.key),
        tx,
      );
  }
};

const restoreItems = async (c: TxContext, run: string, items: readonly BatchItem[]): Promise<void> => {
  for (const [kind, group] of groupByKind(items)) {
    const { isPersonal, read, restore } = findKeeper(kind);
    const present = isPersonal
      ? await read(
          group.map(({ key }) => key),
          c.tx,
        )
      : undefined;
    const left = group.filter(({ key }) => present?.has(key) ?? true);
    const former = new Map(left.map((item) => [item.key, item.before]));
    await restore(c, former, formatUndoReason(run));
  }
};

/** Returns the claims of a batch about brokers, about regulators, and in lists of authorities. */
const groupClaims = async (run: string, number: number, tx: Tx) => {
  const said = Map.groupBy(await findRunStatements(run, number, tx), ({ subject }) => subject.split(':', 1)[0]);
  return {
    brokers: said.get('broker') ?? [],
    regulators: said.get('regulator') ?? [],
    warnings: said.get('warning') ?? [],
  };
};

const refuseBrokers = (c: TxContext) => (slugs: readonly string[]) => refuseBrokersInUse(slugs, c.tx);

/** Refuses to withdraw a batch if a record with references to it would be removed. @throws DomainError */
const refuseInUse = async (c: TxContext, run: string, number: number): Promise<void> => {
  const { brokers, regulators } = await groupClaims(run, number, c.tx);
  if (brokers.length > 0) await refuseBrokersWithdrawal(c, brokers, refuseBrokers(c));
  if (regulators.length > 0) await refuseRegulatorsWithdrawal(c, regulators);
};

/** Withdraws the statements of a batch, regardless of later ones. @throws DomainError as `refuseInUse` does */
const withdraw = async (c: TxContext, run: string, number: number): Promise<void> => {
  const { brokers, regulators, warnings } = await groupClaims(run, number, c.tx);
  if (warnings.length > 0) await withdrawWarnings(c, warnings, formatUndoReason(run));
  if (brokers.length > 0) await withdrawBrokers(c, brokers, formatUndoReason(run), refuseBrokers(c));
  if (regulators.length > 0) await withdrawRegulators(c, regulators, formatUndoReason(run));
};

const requireUndoable = async (db: Db, id: string): Promise<RunDocument> => {
  const run = await store.findRun(db, id);
  if (!run) throw new DomainError('not_found', `There is no run "${id}". See: import list`);
  if (run.state === 'undone')
    throw toUndoRefusal(
      `Run ${id} was undone on ${run.undoneAt?.toISOString()} already. To have it again, import the file.`,
    );
  return run;
};

type UndoProgressHandler = (phase: 'comparing' | 'restoring', done: number, of: number) => void;

/**
 * Checks that a run can be undone. Writes nothing.
 * @throws DomainError if it cannot
 */
export const checkUndo = async (
  context: Context,
  id: string,
  onProgress: UndoProgressHandler,
): Promise<RunDocument> => {
  const run = await requireUndoable(context.db, id);
  for (let number = run.batches; number > 0; number--) {
    await inTransaction(context, async (c) => {
      await compare(await store.findBatch(id, number, c.tx), id, c.tx);
      await refuseInUse(c, id, number);
    });
    onProgress('comparing', run.batches - number + 1, run.batches);
  }
  return run;
};

/**
 * Withdraws the statements of a run about brokers and regulators, and restores the news that it replaced, from the last
 * batch to the first. It checks every batch before it writes anything. If it is stopped, the next call continues.
 * @throws DomainError if the run cannot be undone
 */
export const undoRun = async (
  context: Context,
  id: string,
  onProgress: UndoProgressHandler = () => {},
): Promise<RunDocument> => {
  const run = await checkUndo(context, id, onProgress);
  if (!(await store.changeRun(context.db, id, { state: run.state, batches: run.batches }, { state: 'undoing' })))
    throw toUndoRefusal(`Run ${id} is being written or undone by another process.`);
  for (let number = run.batches; number > 0; number--) {
    await undoBatch(context, id, number);
    onProgress('restoring', run.batches - number + 1, run.batches);
  }
  await finishUndo(context, run);
  await store.deleteBatches(context.db, id);
  // warnings return to their former text
  if (run.what === 'warnings') await matchWarnings(context, { reason: formatUndoReason(id), isWhole: true });
  return run;
};

const undoBatch = (context: Context, id: string, number: number): Promise<void> =>
  inTransaction(context, async (c) => {
    const items = await store.findBatch(id, number, c.tx);
    await compare(items, id, c.tx);
    await restoreItems(c, id, items);
    await withdraw(c, id, number);
    if (!(await store.changeRun(c.db, id, { state: 'undoing', batches: number }, { batches: number - 1 }, c.tx)))
      throw toUndoRefusal(`Run ${id} is being undone by another process.`);
  });

const finishUndo = (context: Context, { _id: id, state }: RunDocument): Promise<void> =>
  inTransaction(context, async (c) => {
    const change = { state: 'undone', undoneAt: c.now, undoneBy: c.actor } as const;
    if (!(await store.changeRun(c.db, id, { state: 'undoing', batches: 0 }, change, c.tx)))
      throw toUndoRefusal(`Run ${id} is being undone by another process.`);
    await takeBackReading(id, c.tx);
    const [before, after] = [{ state }, { state: change.state }];
    c.audit('import.undone', { kind: 'import', id }, { before, after, reason: 'operator_command' });
  });
