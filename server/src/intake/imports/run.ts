import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import type { FieldChange } from '../../ledger/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { ImportKind, ImportPlan, ScoreChange } from '../../ledger/import-kind.ts';
import { auditedContest } from '../../ledger/statements/audited.rule.ts';
import type { ContestedFact, StatementSource } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { createBadRowsFile } from './bad-rows.ts';
import { createChecker, type ValidRow } from './check.ts';
import { toGivenKey } from './kinds.ts';
import { createRecordReader, type ImportFault } from './record.ts';
import { type FileNotation, type FileRow, type ImportFormat, readRows } from './rows.ts';
import { finishRun, formatRunReason, saveBatch, startRun, stoppedRun, type Terms, toOrigin } from './runs.ts';
import type { RunDocument } from './store.ts';

/** Number of rows that are checked or written at once. */
const BATCH = 500;

/** Numbers of records, by the effect of the import. */
interface ImportCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows without effect, because a stronger source says something else. */
  readonly overruled: number;
}

/** A field of a row, and the contrary claim of a stronger source, which is published. */
interface OverruledField {
  readonly field: string;
  readonly says: string;
  readonly published: string;
  readonly publishedSource: StatementSource;
}

/** Effect of an import on one record. A new record has no list of fields: all of them are new. */
export interface RecordChange {
  readonly line: number;
  readonly key: string;
  readonly change: 'new' | 'changed' | 'overruled';
  readonly fields: readonly FieldChange[];
  readonly overruled: readonly OverruledField[];
  readonly score?: ScoreChange;
}

export interface ImportReport extends ImportCounts {
  /** Number of all rows: counted and bad ones. */
  readonly rows: number;
  /** Number of rows with faults. */
  readonly bad: number;
  readonly faults: readonly ImportFault[];
  /** Number of all faults, including those in the list. */
  readonly faultCount: number;
  /** Assumptions about the notation of the file. */
  readonly notes?: readonly string[];
  readonly written: number;
  /** Id of the run, by which it can be undone. */
  readonly run?: string;
  /** Changes that a dry run found. */
  readonly changes?: readonly RecordChange[];
}

interface ImportJob<T> extends Terms {
  /** Name of the kind. */
  readonly what: string;
  readonly file: string;
  readonly format: ImportFormat;
  /** Notation of the file, if it is ambiguous. */
  readonly manner?: FileNotation;
  readonly kind: ImportKind<T>;
  readonly dryRun: boolean;
  /** Continues after the last batch of a stopped import of this file. */
  readonly resume: boolean;
  /** New file for rows with faults; all other rows are imported. If omitted, one fault stops the import. */
  readonly badRows: string | undefined;
  readonly onProgress: (phase: 'checking' | 'writing', bytes: number, ofBytes: number) => void;
}

const splitBatches = async function* (rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
};

const describeEncoding = (encoding: string, sample = ''): string =>
  `The file is not UTF-8. It was read as ${encoding}, in which it has ${JSON.stringify(sample)}. If that is wrong, state its --encoding.`;

const describeSheet = (sheet: string, sheets: readonly string[]): string =>
  `The sheet ${JSON.stringify(sheet)} was read. The workbook has ${sheets.length}: state another one by --sheet.`;

/** Returns a function that reads the file from the start and reports its progress. */
const createReader = async <T>({ file, format, manner, kind, onProgress }: ImportJob<T>, notes: Set<string>) => {
  const { size } = await stat(file);
  const schema = z.toJSONSchema(kind.schema, { io: 'input' });
  return (phase: 'checking' | 'writing', onChunk: (chunk: Buffer) => void = () => {}) => {
    let bytes = 0;
    return splitBatches(
      readRows(file, format, {
        ...manner,
        schema,
        onEncoding: ({ encoding, sample }) => notes.add(describeEncoding(encoding, sample)),
        onSheet: (sheet, sheets) => {
          if (manner?.sheet === undefined && sheets.length > 1) notes.add(describeSheet(sheet, sheets));
        },
        onChunk: (chunk) => {
          onChunk(chunk);
          bytes += chunk.length;
          onProgress(phase, bytes, size);
        },
      }),
    );
  };
};

const NONE: ImportCounts = { new: 0, changed: 0, unchanged: 0, overruled: 0 };

const addCounts = (a: ImportCounts, b: ImportCounts): ImportCounts => ({
  new: a.new + b.new,
  changed: a.changed + b.changed,
  unchanged: a.unchanged + b.unchanged,
  overruled: a.overruled + b.overruled,
});

/** Returns the outcome of a row. */
const toOutcome = ({ change, overruled }: ImportPlan): keyof ImportCounts =>
  change === 'unchanged' && overruled.length > 0 ? 'overruled' : change;

const countOutcomes = (plans: readonly ImportPlan[]): ImportCounts => {
  const counts = { ...NONE };
  for (const plan of plans) counts[toOutcome(plan)]++;
  return counts;
};

const toOverruledField = (contested: ContestedFact): OverruledField => {
  const { field, published } = contested;
  const { before, after } = auditedContest([contested]);
  return {
    field,
    says: after[field] as string,
    published: before[field] as string,
    publishedSource: published.source,
  };
};

/** Returns the effect of an import on each of these records that it changes or tries to change. */
export const listChanges = async <T>(
  db: Db,
  kind: ImportKind<T>,
  rows: readonly PlannedRow<T>[],
  now: Date,
): Promise<RecordChange[]> => {
  const noted = rows.filter(({ plan }) => toOutcome(plan) !== 'unchanged');
  const differing = noted.filter(({ plan }) => plan.change !== 'unchanged');
  const scores = await kind.scores?.(
    db,
    differing.map(({ plan }) => plan),
    now,
  );
  return noted.map(({ line, record, known, plan }) => {
    const key = toGivenKey(kind, record);
    const score = scores?.get(kind.key(record, known));
    const change = toOutcome(plan) as RecordChange['change'];
    const overruled = plan.overruled.map(toOverruledField);
    return { line, key, change, fields: plan.fields(), overruled, ...(score ? { score } : {}) };
  });
};

/** A row and its effect. */
export interface PlannedRow<T> extends ValidRow<T> {
  readonly plan: ImportPlan;
}

const planAll = <T>(kind: ImportKind<T>, rows: readonly ValidRow<T>[], terms: Terms, asOf: Date): PlannedRow<T>[] => {
  const from = { origin: toOrigin(terms), asOf };
  return rows.map((row) => ({ ...row, plan: kind.plan(row, row.known, from) }));
};

/** One batch of a run. */
interface RunBatch {
  readonly number: number;
  /** Number of the batch written before. */
  readonly after: number;
  readonly rows: readonly FileRow[];
}

const toConflictError = ({ line, detail }: ImportFault): DomainError =>
  new DomainError('state_conflict', `Line ${line} no longer fits what is stored, which changed meanwhile: ${detail}`);

/** Reads the rows of a batch again, with the stored state at the time of the transaction. */
const readAgain = async <T>(kind: ImportKind<T>, run: RunDocument, rows: readonly FileRow[], c: TxContext) => {
  const read = createRecordReader(kind, run, c.now);
  const fit = (await read(rows, c.tx)).map((row): ValidRow<T> => {
    if (row.faults) throw toConflictError(row.faults[0] as ImportFault);
    return row;
  });
  const [fault] = (await kind.inspect?.(c.db)(fit, c.tx, c.now)) ?? [];
  if (fault) throw toConflictError(fault);
  return planAll(kind, fit, run, c.now);
};

/** Writes the news of a batch in one transaction. */
const writeBatch = <T>(
  context: Context,
  kind: ImportKind<T>,
  run: RunDocument,
  batch: RunBatch,
): Promise<ImportCounts> =>
  inTransaction(context, async (c) => {
    const { number, after } = batch;
    const rows = await readAgain(kind, run, batch.rows, c);
    const plans = rows.map(({ plan }) => plan);
    const occasion = { reason: formatRunReason(run._id), cause: 'fact', run: run._id, batch: number } as const;
    const items = await kind.write(
      c,
      plans.filter(({ writes }) => writes),
      occasion,
    );
    const silent = rows.filter(({ plan }) => !plan.writes);
    await kind.confirm?.(
      c,
      silent.map(({ record }) => record),
    );
    await saveBatch(run, { number, after, items }, c.tx);
    return countOutcomes(plans);
  });

/** Returns the stopped run of this file. */
const findStoppedImport = async <T>(db: Db, { what, file }: ImportJob<T>): Promise<RunDocument> => {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  const stopped = await stoppedRun(db, what, digest.digest('hex'));
  if (!stopped)
    throw new DomainError('not_found', 'No import of this very file was stopped: import it without --resume.');
  return stopped;
};

/** Returns the terms of a run: a resumed run keeps its own. */
const pickTerms = ({ license, attribution, sourceUrl, source, validFrom }: Terms): Terms => ({
  license,
  attribution,
  sourceUrl,
  ...(source ? { source } : {}),
  ...(validFrom ? { validFrom } : {}),
});

/** Result of the first pass over a file. */
interface CheckedFile {
  readonly rows: number;
  readonly fitRows: number;
  /** Lines with faults, if the other rows are to be imported. */
  readonly bad: ReadonlySet<number>;
  readonly sha256: string;
  readonly counts: ImportCounts;
  /** Counts of rows in batches with nothing to write, by batch number. */
  readonly settled: ReadonlyMap<number, ImportCounts>;
  readonly changes: readonly RecordChange[];
  readonly faults: readonly ImportFault[];
  readonly faultCount: number;
}

/** Checks a file, and computes its effect. */
const checkFile = async <T>(
  context: Context,
  job: ImportJob<T>,
  batches: Awaited<ReturnType<typeof createReader<T>>>,
): Promise<CheckedFile> => {
  const { kind, dryRun } = job;
  const checker = createChecker(context.db, kind, job, context.clock());
  const digest = createHash('sha256');
  const badRows = job.badRows === undefined || dryRun ? undefined : createBadRowsFile(job.badRows, job);
  const bad = new Set<number>();
  const settled = new Map<number, ImportCounts>();
  const changes: RecordChange[] = [];
  let [rows, fitRows, number, counts, isWhole] = [0, 0, 0, NONE, false];
  try {
    for await (const batch of batches('checking', (chunk) => digest.update(chunk))) {
      const { fit, faults } = await checker.check(batch);
      const now = context.clock();
      const planned = planAll(kind, fit, job, now);
      const found = countOutcomes(planned.map(({ plan }) => plan));
      rows += batch.length;
      fitRows += fit.length;
      counts = addCounts(counts, found);
      number++;
      if (!kind.confirm && planned.every(({ plan }) => !plan.writes)) settled.set(number, found);
      await badRows?.add(batch, faults);
      if (badRows) for (const { line } of faults) bad.add(line);
      if (dryRun) changes.push(...(await listChanges(context.db, kind, planned, now)));
    }
    isWhole = true;
  } finally {
    await badRows?.close(isWhole);
  }
  if (rows === 0) checker.add([{ line: 1, detail: 'The file has no rows.' }]);
  return { rows, fitRows, bad, sha256: digest.digest('hex'), counts, settled, changes, ...checker.result() };
};

/**
 * Imports a file in two passes. The first one checks every row and computes its effect. The second one writes the
 * changes in transactions of 500 rows, and skips batches without changes. A stopped import can be resumed, or run
 * again.
 * @throws DomainError if the file is unreadable or its run cannot continue
 */
export const runImport = async <T>(context: Context, job: ImportJob<T>): Promise<ImportReport> => {
  const notes = new Set<string>();
  const batches = await createReader(job, notes);
  const stopped = job.resume ? await findStoppedImport(context.db, job) : undefined;
  const terms = pickTerms(stopped ?? job);
  const checked = await checkFile(context, { ...job, ...terms }, batches);
  const { bad, sha256, changes, counts, fitRows, settled, ...rest } = checked;
  const found = { ...rest, bad: rest.rows - fitRows, ...(notes.size > 0 ? { notes: [...notes] } : {}) };
  if (job.dryRun) return { ...found, written: 0, ...counts, changes };
  if (fitRows === 0 || (found.faultCount > 0 && job.badRows === undefined)) return { ...found, written: 0, ...NONE };
  const file = { what: job.what, fileName: basename(job.file), sha256, rows: found.rows };
  const run = stopped ?? (await startRun(context, { ...file, ...terms }));
  let [number, after, done] = [0, run.batches, NONE];
  for await (const batch of batches('writing')) {
    if (++number <= run.batches) continue;
    const idle = settled.get(number);
    const rows = batch.filter(({ line }) => !bad.has(line));
    done = addCounts(done, idle ?? (await writeBatch(context, job.kind, run, { number, after, rows })));
    if (!idle) after = number;
  }
  await finishRun(context, run);
  return { ...found, written: done.new + done.changed, ...done, run: run._id };
};
