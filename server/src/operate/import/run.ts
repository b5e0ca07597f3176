import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import type { FieldChange } from '../../platform/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { ScoreChange } from '../../published/brokers/preview.ts';
import { badRowsFile } from './bad-rows.ts';
import { createChecker, type Fit } from './check.ts';
import type { Kind } from './kinds.ts';
import { type Fault, recordReader } from './record.ts';
import { type Format, type Row, readRows } from './rows.ts';
import { finishRun, keepBatch, reasonOf, startRun, stoppedRun, type Terms } from './runs.ts';
import { replaced } from './states.ts';
import type { RunDocument } from './store.ts';

/** Number of rows that are checked or written at once. */
const BATCH = 500;

/** Numbers of records, by what the import does to them. */
export interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** What an import would do to one record. A new record has no list of fields: all of them are new. */
export interface RecordChange {
  readonly line: number;
  readonly key: string;
  readonly change: 'new' | 'changed';
  readonly fields: readonly FieldChange[];
  readonly score?: ScoreChange;
}

export interface Report extends Counts {
  readonly rows: number;
  readonly faults: readonly Fault[];
  /** Number of all faults, including those in the list. */
  readonly faultCount: number;
  readonly written: number;
  /** Id of the run, by which it can be undone. */
  readonly run?: string;
  /** What a dry run found that would change. */
  readonly changes?: readonly RecordChange[];
}

interface Job<T> extends Terms {
  /** Name of the kind. */
  readonly what: string;
  readonly file: string;
  readonly format: Format;
  readonly kind: Kind<T>;
  readonly dryRun: boolean;
  /** Continues after the last batch of a stopped import of this file. */
  readonly resume: boolean;
  /** A new file for the rows that have faults. The others are imported. If omitted, one fault stops the import. */
  readonly badRows: string | undefined;
  readonly onProgress: (phase: 'checking' | 'writing', bytes: number, ofBytes: number) => void;
}

const inBatches = async function* (rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
};

/** Returns a function that reads the file from the start and reports its progress. */
const createReader = async <T>({ file, format, kind, onProgress }: Job<T>) => {
  const { size } = await stat(file);
  const schema = z.toJSONSchema(kind.schema, { io: 'input' });
  return (phase: 'checking' | 'writing', onChunk: (chunk: Buffer) => void = () => {}) => {
    let bytes = 0;
    return inBatches(
      readRows(file, format, {
        schema,
        onChunk: (chunk) => {
          onChunk(chunk);
          bytes += chunk.length;
          onProgress(phase, bytes, size);
        },
      }),
    );
  };
};

const NONE: Counts = { new: 0, changed: 0, unchanged: 0 };

const plus = (a: Counts, b: Counts): Counts => ({
  new: a.new + b.new,
  changed: a.changed + b.changed,
  unchanged: a.unchanged + b.unchanged,
});

/** Returns what an import would do to each of these records that it changes at all. */
const changesOf = async <T>(kind: Kind<T>, rows: readonly Fit<T>[], now: Date): Promise<RecordChange[]> => {
  const differing = rows.flatMap(({ line, record, state }): (Omit<RecordChange, 'key' | 'score'> & { record: T })[] => {
    if (state === undefined) return [{ line, record, change: 'new', fields: [] }];
    const fields = kind.changes(record, state);
    return fields.length === 0 ? [] : [{ line, record, change: 'changed', fields }];
  });
  const records = differing.map(({ record }) => record);
  const scores = await kind.scores?.(records, now);
  return differing.map(({ record, ...change }) => {
    const key = kind.key(record);
    const score = scores?.get(key);
    return { ...change, key, ...(score ? { score } : {}) };
  });
};

/** One batch of a run. */
interface Batch {
  readonly number: number;
  readonly rows: readonly Row[];
}

const changedMeanwhile = ({ line, detail }: Fault): DomainError =>
  new DomainError('state_conflict', `Line ${line} no longer fits what is stored, which changed meanwhile: ${detail}`);

/** Reads the rows of a batch again, with what is stored at the time of the transaction. */
const readAgain = async <T>(kind: Kind<T>, run: RunDocument, rows: readonly Row[], { tx }: TxContext) => {
  const read = recordReader(kind, run);
  return (await read(rows, tx)).map((row) => {
    if (row.faults) throw changedMeanwhile(row.faults[0] as Fault);
    const { record, state } = row;
    return { record, state, isChanged: kind.changes(record, state).length > 0 };
  });
};

/** Writes what a batch changes, and the record of what it replaced, in one transaction. */
const writeBatch = <T>(context: Context, kind: Kind<T>, run: RunDocument, { number, rows }: Batch): Promise<Counts> =>
  inTransaction(context, async (c) => {
    const all = await readAgain(kind, run, rows, c);
    const [changed, unchanged] = [all.filter(({ isChanged }) => isChanged), all.filter(({ isChanged }) => !isChanged)];
    const keys = changed.map(({ record }) => kind.stateKey(kind.key(record)));
    const before = new Map(changed.flatMap(({ state }, at) => (state ? [[keys[at] as string, state] as const] : [])));
    const records = changed.map(({ record }) => record);
    const write = () => kind.write(c, records, { reason: reasonOf(run._id), states: before });
    const items = changed.length === 0 ? [] : await replaced({ kind: kind.state, keys, before }, write, c.tx);
    await kind.confirm?.(
      c,
      unchanged.map(({ record }) => record),
    );
    await keepBatch(run, number, items, c.tx);
    const fresh = changed.length - before.size;
    return { new: fresh, changed: before.size, unchanged: unchanged.length };
  });

const openRun = async <T>(context: Context, job: Job<T>, sha256: string, rows: number): Promise<RunDocument> => {
  const { what, license, attribution, sourceUrl } = job;
  if (!job.resume)
    return startRun(context, { what, fileName: basename(job.file), sha256, rows, license, attribution, sourceUrl });
  const stopped = await stoppedRun(what, sha256);
  if (!stopped)
    throw new DomainError('not_found', 'No import of this very file was stopped: import it without --resume.');
  return stopped;
};

/** Checks a file. Returns the lines that have faults, if the others are to be imported, and what would change. */
const checkFile = async <T>(context: Context, job: Job<T>, batches: Awaited<ReturnType<typeof createReader<T>>>) => {
  const checker = createChecker(job.kind, job);
  const digest = createHash('sha256');
  const badRows = job.badRows === undefined || job.dryRun ? undefined : badRowsFile(job.badRows, job);
  const bad = new Set<number>();
  const changes: RecordChange[] = [];
  let rows = 0;
  let fitRows = 0;
  let isWhole = false;
  try {
    for await (const batch of batches('checking', (chunk) => digest.update(chunk))) {
      const { fit, faults } = await checker.check(batch);
      rows += batch.length;
      fitRows += fit.length;
      await badRows?.add(batch, faults);
      if (badRows) for (const { line } of faults) bad.add(line);
      if (job.dryRun) changes.push(...(await changesOf(job.kind, fit, context.clock())));
    }
    isWhole = true;
  } finally {
    await badRows?.close(isWhole);
  }
  if (rows === 0) checker.add([{ line: 1, detail: 'The file has no rows.' }]);
  const fresh = changes.filter(({ change }) => change === 'new').length;
  const counts = { new: fresh, changed: changes.length - fresh, unchanged: fitRows - changes.length };
  return { rows, fitRows, bad, sha256: digest.digest('hex'), ...checker.result(), changes, counts };
};

/**
 * Imports a file in two passes: the first checks every row, and the second writes what the rows change in transactions
 * of 500 rows. A stopped import can be resumed, or run again, since rows that are stored already change nothing.
 * @throws DomainError if the file is unreadable or its run cannot go on
 */
export const runImport = async <T>(context: Context, job: Job<T>): Promise<Report> => {
  const batches = await createReader(job);
  const { bad, sha256, changes, counts, fitRows, ...checked } = await checkFile(context, job, batches);
  const { rows, faults, faultCount } = checked;
  const found = { rows, faults, faultCount };
  if (job.dryRun) return { ...found, written: 0, ...counts, changes };
  if (fitRows === 0 || (faultCount > 0 && job.badRows === undefined)) return { ...found, written: 0, ...NONE };
  const run = await openRun(context, job, sha256, rows);
  let number = 0;
  let done = NONE;
  for await (const batch of batches('writing')) {
    if (++number <= run.batches) continue;
    const good = batch.filter(({ line }) => !bad.has(line));
    done = plus(done, await writeBatch(context, job.kind, run, { number, rows: good }));
  }
  await finishRun(context, run);
  return { ...found, written: done.new + done.changed, ...done, run: run._id };
};
