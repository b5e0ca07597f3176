import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import type { FieldChange } from '../../ledger/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { auditedContest } from '../../ledger/statements/audited.rule.ts';
import type { Contested, Source } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import type { ScoreChange } from '../../published/brokers/preview.ts';
import { badRowsFile } from './bad-rows.ts';
import { createChecker, type Fit } from './check.ts';
import { givenKey, type Kind, type Plan } from './kinds.ts';
import { type Fault, recordReader } from './record.ts';
import { type Format, type Manner, type Row, readRows } from './rows.ts';
import { finishRun, keepBatch, originOf, reasonOf, startRun, stoppedRun, type Terms } from './runs.ts';
import type { RunDocument } from './store.ts';

/** Number of rows that are checked or written at once. */
const BATCH = 500;

/** Numbers of records, by what the import does to them. */
interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows that change nothing, since a stronger source says something else. */
  readonly overruled: number;
}

/** What a row says, and what a stronger source says, which is published. */
interface OverruledField {
  readonly field: string;
  readonly says: string;
  readonly published: string;
  readonly publishedSource: Source;
}

/** What an import would do to one record. A new record has no list of fields: all of them are new. */
export interface RecordChange {
  readonly line: number;
  readonly key: string;
  readonly change: 'new' | 'changed' | 'overruled';
  readonly fields: readonly FieldChange[];
  readonly overruled: readonly OverruledField[];
  readonly score?: ScoreChange;
}

export interface Report extends Counts {
  /** Number of all rows: those that are counted, and the bad ones. */
  readonly rows: number;
  /** Number of rows with faults. */
  readonly bad: number;
  readonly faults: readonly Fault[];
  /** Number of all faults, including those in the list. */
  readonly faultCount: number;
  /** What was assumed of how the file is written. */
  readonly notes?: readonly string[];
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
  /** How the file is written, where it does not say so itself. */
  readonly manner?: Manner;
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

const encodingNote = (encoding: string, sample = ''): string =>
  `The file is not UTF-8. It was read as ${encoding}, in which it has ${JSON.stringify(sample)}. If that is wrong, state its --encoding.`;

const sheetNote = (sheet: string, sheets: readonly string[]): string =>
  `The sheet ${JSON.stringify(sheet)} was read. The workbook has ${sheets.length}: state another one by --sheet.`;

/** Returns a function that reads the file from the start and reports its progress. */
const createReader = async <T>({ file, format, manner, kind, onProgress }: Job<T>, notes: Set<string>) => {
  const { size } = await stat(file);
  const schema = z.toJSONSchema(kind.schema, { io: 'input' });
  return (phase: 'checking' | 'writing', onChunk: (chunk: Buffer) => void = () => {}) => {
    let bytes = 0;
    return inBatches(
      readRows(file, format, {
        ...manner,
        schema,
        onEncoding: ({ encoding, sample }) => notes.add(encodingNote(encoding, sample)),
        onSheet: (sheet, sheets) => {
          if (manner?.sheet === undefined && sheets.length > 1) notes.add(sheetNote(sheet, sheets));
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

const NONE: Counts = { new: 0, changed: 0, unchanged: 0, overruled: 0 };

const plus = (a: Counts, b: Counts): Counts => ({
  new: a.new + b.new,
  changed: a.changed + b.changed,
  unchanged: a.unchanged + b.unchanged,
  overruled: a.overruled + b.overruled,
});

/** Returns what becomes of a row. */
const outcomeOf = ({ change, overruled }: Plan): keyof Counts =>
  change === 'unchanged' && overruled.length > 0 ? 'overruled' : change;

const countsOf = (plans: readonly Plan[]): Counts => {
  const counts = { ...NONE };
  for (const plan of plans) counts[outcomeOf(plan)]++;
  return counts;
};

const overruledField = (contested: Contested): OverruledField => {
  const { field, published } = contested;
  const { before, after } = auditedContest([contested]);
  return {
    field,
    says: after[field] as string,
    published: before[field] as string,
    publishedSource: published.source,
  };
};

/** Returns what an import would do to each of these records that it changes, or could not change. */
export const changesOf = async <T>(
  db: Db,
  kind: Kind<T>,
  rows: readonly Planned<T>[],
  now: Date,
): Promise<RecordChange[]> => {
  const noted = rows.filter(({ plan }) => outcomeOf(plan) !== 'unchanged');
  const differing = noted.filter(({ plan }) => plan.change !== 'unchanged');
  const scores = await kind.scores?.(
    db,
    differing.map(({ plan }) => plan),
    now,
  );
  return noted.map(({ line, record, known, plan }) => {
    const key = givenKey(kind, record);
    const score = scores?.get(kind.key(record, known));
    const change = outcomeOf(plan) as RecordChange['change'];
    const overruled = plan.overruled.map(overruledField);
    return { line, key, change, fields: plan.fields(), overruled, ...(score ? { score } : {}) };
  });
};

/** A row and what it would do. */
export interface Planned<T> extends Fit<T> {
  readonly plan: Plan;
}

const planAll = <T>(kind: Kind<T>, rows: readonly Fit<T>[], terms: Terms, asOf: Date): Planned<T>[] => {
  const from = { origin: originOf(terms), asOf };
  return rows.map((row) => ({ ...row, plan: kind.plan(row, row.known, from) }));
};

/** One batch of a run. */
interface Batch {
  readonly number: number;
  /** The number of the batch that was written before. */
  readonly after: number;
  readonly rows: readonly Row[];
}

const changedMeanwhile = ({ line, detail }: Fault): DomainError =>
  new DomainError('state_conflict', `Line ${line} no longer fits what is stored, which changed meanwhile: ${detail}`);

/** Reads the rows of a batch again, with what is stored at the time of the transaction. */
const readAgain = async <T>(kind: Kind<T>, run: RunDocument, rows: readonly Row[], c: TxContext) => {
  const read = recordReader(kind, run, c.now);
  const fit = (await read(rows, c.tx)).map((row): Fit<T> => {
    if (row.faults) throw changedMeanwhile(row.faults[0] as Fault);
    return row;
  });
  const [fault] = (await kind.inspect?.(c.db)(fit, c.tx, c.now)) ?? [];
  if (fault) throw changedMeanwhile(fault);
  return planAll(kind, fit, run, c.now);
};

/** Writes what a batch says and is new, in one transaction. */
const writeBatch = <T>(context: Context, kind: Kind<T>, run: RunDocument, batch: Batch): Promise<Counts> =>
  inTransaction(context, async (c) => {
    const { number, after } = batch;
    const rows = await readAgain(kind, run, batch.rows, c);
    const plans = rows.map(({ plan }) => plan);
    const occasion = { reason: reasonOf(run._id), cause: 'fact', run: run._id, batch: number } as const;
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
    await keepBatch(run, { number, after, items }, c.tx);
    return countsOf(plans);
  });

/** Returns the run of this very file that was stopped. */
const stoppedOf = async <T>(db: Db, { what, file }: Job<T>): Promise<RunDocument> => {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk as Buffer);
  const stopped = await stoppedRun(db, what, digest.digest('hex'));
  if (!stopped)
    throw new DomainError('not_found', 'No import of this very file was stopped: import it without --resume.');
  return stopped;
};

/** Returns the terms of a run: a run that goes on keeps its own. */
const termsOf = ({ license, attribution, sourceUrl, source, validFrom }: Terms): Terms => ({
  license,
  attribution,
  sourceUrl,
  ...(source ? { source } : {}),
  ...(validFrom ? { validFrom } : {}),
});

/** The first pass over a file: what its rows are, and would do. */
interface Checked {
  readonly rows: number;
  readonly fitRows: number;
  /** Lines with faults, if the others are to be imported. */
  readonly bad: ReadonlySet<number>;
  readonly sha256: string;
  readonly counts: Counts;
  /** Numbers of rows that need no writing, in batches that have none to write, by the number of the batch. */
  readonly settled: ReadonlyMap<number, Counts>;
  readonly changes: readonly RecordChange[];
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

/** Checks a file, and finds out what it would change. */
const checkFile = async <T>(
  context: Context,
  job: Job<T>,
  batches: Awaited<ReturnType<typeof createReader<T>>>,
): Promise<Checked> => {
  const { kind, dryRun } = job;
  const checker = createChecker(context.db, kind, job, context.clock());
  const digest = createHash('sha256');
  const badRows = job.badRows === undefined || dryRun ? undefined : badRowsFile(job.badRows, job);
  const bad = new Set<number>();
  const settled = new Map<number, Counts>();
  const changes: RecordChange[] = [];
  let [rows, fitRows, number, counts, isWhole] = [0, 0, 0, NONE, false];
  try {
    for await (const batch of batches('checking', (chunk) => digest.update(chunk))) {
      const { fit, faults } = await checker.check(batch);
      const now = context.clock();
      const planned = planAll(kind, fit, job, now);
      const found = countsOf(planned.map(({ plan }) => plan));
      rows += batch.length;
      fitRows += fit.length;
      counts = plus(counts, found);
      number++;
      if (!kind.confirm && planned.every(({ plan }) => !plan.writes)) settled.set(number, found);
      await badRows?.add(batch, faults);
      if (badRows) for (const { line } of faults) bad.add(line);
      if (dryRun) changes.push(...(await changesOf(context.db, kind, planned, now)));
    }
    isWhole = true;
  } finally {
    await badRows?.close(isWhole);
  }
  if (rows === 0) checker.add([{ line: 1, detail: 'The file has no rows.' }]);
  return { rows, fitRows, bad, sha256: digest.digest('hex'), counts, settled, changes, ...checker.result() };
};

/**
 * Imports a file in two passes: the first checks every row and finds out what it would change; the second writes that
 * in transactions of 500 rows, except where none of them says anything new. A stopped import can be resumed, or run
 * again.
 * @throws DomainError if the file is unreadable or its run cannot go on
 */
export const runImport = async <T>(context: Context, job: Job<T>): Promise<Report> => {
  const notes = new Set<string>();
  const batches = await createReader(job, notes);
  const stopped = job.resume ? await stoppedOf(context.db, job) : undefined;
  const terms = termsOf(stopped ?? job);
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
    done = plus(done, idle ?? (await writeBatch(context, job.kind, run, { number, after, rows })));
    if (!idle) after = number;
  }
  await finishRun(context, run);
  return { ...found, written: done.new + done.changed, ...done, run: run._id };
};
