import { lastEntry } from '../../platform/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { runIn, undoReasonOf } from './runs.ts';
import { fingerprint, KEEPERS } from './states.ts';
import type { BatchItem, RunDocument, StateKind } from './store.ts';
import * as store from './store.ts';

/** Returns the refusal to undo a run. The message says what to do first. */
const cannotUndo = (message: string): DomainError => new DomainError('state_conflict', message);

const SUBJECTS = { brokers: 'broker', regulators: 'regulator', news: 'news' } as const satisfies Record<
  StateKind,
  string
>;

const byKind = (items: readonly BatchItem[]) => Map.groupBy(items, (item) => item.kind);

/** Returns the error that says who changed a record after the run. */
const changedSince = async ({ kind, key }: BatchItem, run: string, tx: Tx): Promise<DomainError> => {
  const last = await lastEntry(SUBJECTS[kind], key, tx);
  const what = `${SUBJECTS[kind]} "${key}" is not as run ${run} left it`;
  const other = last === null ? undefined : runIn(last.reason);
  if (last === null || other === run) return cannotUndo(`${what}: restore it by an import of its own first.`);
  const when = `${last.action} on ${last.at.toISOString()}`;
  return cannotUndo(
    other !== undefined
      ? `${what}: ${when} changed it, in run ${other}. Undo that run first: import undo ${other}`
      : `${what}: ${when} changed it.`,
  );
};

/** The current states of all records that a batch wrote. */
type Now = ReadonlyMap<StateKind, ReadonlyMap<string, object>>;

/**
 * Checks that every record is as the batch left it, and that new records may be removed. Returns the current states.
 */
const compare = async (items: readonly BatchItem[], run: string, tx: Tx): Promise<Now> => {
  const all = new Map<StateKind, ReadonlyMap<string, object>>();
  for (const [kind, group] of byKind(items)) {
    const now = await KEEPERS[kind].read(
      group.map((item) => item.key),
      tx,
    );
    all.set(kind, now);
    const changed = group.find((item) => fingerprint(now.get(item.key)) !== item.after);
    if (changed) throw await changedSince(changed, run, tx);
    const going = group.filter((item) => item.before === null);
    if (going.length > 0)
      await KEEPERS[kind].refuseInUse(
        going.map((item) => item.key),
        tx,
      );
  }
  return all;
};

const restore = async (c: TxContext, run: string, items: readonly BatchItem[], now: Now): Promise<void> => {
  for (const [kind, group] of byKind(items)) {
    const former = new Map(group.map((item) => [item.key, item.before]));
    await KEEPERS[kind].restore(c, former, { reason: undoReasonOf(run), states: now.get(kind) ?? new Map() });
  }
};

const undoable = async (id: string): Promise<RunDocument> => {
  const run = await store.findRun(id);
  if (!run) throw new DomainError('not_found', `There is no run "${id}". See: import list`);
  if (run.state === 'undone')
    throw cannotUndo(
      `Run ${id} was undone on ${run.undoneAt?.toISOString()} already. To have it again, import the file.`,
    );
  return run;
};

/**
 * Restores what a run replaced, from the last batch to the first. It compares every batch with the current state before
 * it writes anything. If it is stopped, the next call continues.
 * @throws DomainError if the run cannot be undone
 */
export const undoRun = async (
  context: Context,
  id: string,
  onProgress: (phase: 'comparing' | 'restoring', done: number, of: number) => void = () => {},
): Promise<RunDocument> => {
  const run = await undoable(id);
  for (let number = run.batches; number > 0; number--) {
    await inTransaction(context, async ({ tx }) => compare(await store.findBatch(id, number, tx), id, tx));
    onProgress('comparing', run.batches - number + 1, run.batches);
  }
  if (!(await store.changeRun(id, { state: run.state, batches: run.batches }, { state: 'undoing' })))
    throw cannotUndo(`Run ${id} is being written or undone by another process.`);
  for (let number = run.batches; number > 0; number--) {
    await undoBatch(context, id, number);
    onProgress('restoring', run.batches - number + 1, run.batches);
  }
  await finishUndo(context, run);
  await store.deleteBatches(id);
  return run;
};

const undoBatch = (context: Context, id: string, number: number): Promise<void> =>
  inTransaction(context, async (c) => {
    const items = await store.findBatch(id, number, c.tx);
    const now = await compare(items, id, c.tx);
    await restore(c, id, items, now);
    if (!(await store.changeRun(id, { state: 'undoing', batches: number }, { batches: number - 1 }, c.tx)))
      throw cannotUndo(`Run ${id} is being undone by another process.`);
  });

const finishUndo = (context: Context, { _id: id, state }: RunDocument): Promise<void> =>
  inTransaction(context, async (c) => {
    const change = { state: 'undone', undoneAt: c.now, undoneBy: c.actor } as const;
    if (!(await store.changeRun(id, { state: 'undoing', batches: 0 }, change, c.tx)))
      throw cannotUndo(`Run ${id} is being undone by another process.`);
    const [before, after] = [{ state }, { state: change.state }];
    c.audit('import.undone', { kind: 'import', id }, { before, after, reason: 'operator_command' });
  });
