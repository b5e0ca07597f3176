import { randomBytes } from 'node:crypto';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { BatchItem } from '../../ledger/import-kind.ts';
import { EDITOR, type Origin } from '../../ledger/statements/record.ts';
import type { StatementSource } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import type { RunDocument } from './store.ts';
import * as store from './store.ts';

/** Licence, attribution and source of the data in a file. */
export interface Terms {
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sourceUrl: string | null;
  /** Source of the claims; editors if omitted. */
  readonly source?: StatementSource;
  readonly validFrom?: string | null;
}

/** Returns the origin of a run's statements. */
export const toOrigin = (terms: Terms): Origin => ({
  source: terms.source ?? EDITOR,
  url: terms.sourceUrl,
  credit: formatCredit(terms) ?? null,
  validFrom: terms.validFrom ?? null,
});

/** Returns the reason that names a run in the audit trail. */
export const formatRunReason = (run: string): string => `import:${run}`;
export const formatUndoReason = (run: string): string => `undo:${run}`;

/** Returns the id of the run that a reason names. */
export const parseRunId = (reason: string): string | undefined => /^(?:import|undo):(.+)$/.exec(reason)?.[1];

/** Returns attribution and licence in one line, or undefined if there is neither. */
export const formatCredit = ({ license, attribution }: Terms): string | undefined =>
  [attribution, license].filter((part) => part !== null).join(', ') || undefined;

type RunDraft = Pick<RunDocument, 'what' | 'fileName' | 'sha256' | 'rows' | 'note'> & Terms;

const insert = async (
  c: TxContext,
  told: RunDraft,
  how: Pick<RunDocument, 'batches' | 'state' | 'finishedAt'>,
): Promise<RunDocument> => {
  const run: RunDocument = {
    _id: randomBytes(6).toString('hex'),
    ...told,
    ...how,
    actor: c.actor,
    startedAt: c.now,
    undoneAt: null,
    undoneBy: null,
  };
  await store.insertRun(c.db, run, c.tx);
  const after = { state: run.state, what: run.what, rows: run.rows };
  c.audit('import.started', { kind: 'import', id: run._id }, { before: null, after, reason: 'operator_command' });
  return run;
};

/** Records a run before its first batch. */
export const startRun = (context: Context, told: RunDraft): Promise<RunDocument> =>
  inTransaction(context, (c) => insert(c, told, { batches: 0, state: 'writing', finishedAt: null }));

/** Records a run of one batch that the caller's transaction writes whole. */
export const recordRun = (c: TxContext, told: RunDraft): Promise<RunDocument> =>
  insert(c, told, { batches: 1, state: 'done', finishedAt: c.now });

/** A written part of a run. */
interface WrittenBatch {
  readonly number: number;
  /** Number of the batch written before; 0 if there was none. */
  readonly after: number;
  /** Former states of records that do not consist of statements. */
  readonly items: readonly BatchItem[];
}

/**
 * Records in the batch's transaction that it is written, with the states that it replaced.
 * @throws DomainError state_conflict if another process took the run or undid it
 */
export const saveBatch = async (run: RunDocument, { number, after, items }: WrittenBatch, tx: Tx): Promise<void> => {
  if (!(await store.changeRun(tx.db, run._id, { state: 'writing', batches: after }, { batches: number }, tx)))
    throw new DomainError(
      'state_conflict',
      `Run ${run._id} is written, or undone, by another process. See: import list`,
    );
  await store.insertBatch(run._id, number, items, tx);
};

export const finishRun = async ({ clock, db }: Context, run: RunDocument): Promise<void> => {
  if (!(await store.changeRun(db, run._id, { state: 'writing' }, { state: 'done', finishedAt: clock() })))
    throw new DomainError('state_conflict', `Run ${run._id} is undone by another process. See: import list`);
};

export const stoppedRun = store.findStopped;
export const listRuns = store.findRuns;
export const lastDone = store.findLastDone;
export const findLastRun = store.findLastBySource;
