import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import { type Issue, problemItems } from '../../http/problem/invalid-request.ts';
import { type Context, inTransaction } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { danglingReferences, type Kind, type Reference } from './kinds.ts';
import { type Format, type Row, readRows } from './rows.ts';
import { creditLine, finishRun, keepBatch, reasonOf, startRun, stoppedRun, type Terms } from './runs.ts';
import { createSeen } from './seen.ts';
import { replaced } from './states.ts';
import type { RunDocument } from './store.ts';

/** Number of rows that are checked or written at once. */
const BATCH = 500;
/** Maximum number of faults in the report. The rest are only counted. */
const SHOWN = 100;

/** A fault in a file. The file is not imported. */
export interface Fault {
  readonly line: number;
  readonly column?: string;
  readonly detail: string;
}

export interface Report {
  readonly rows: number;
  readonly faults: readonly Fault[];
  /** Number of all faults, including those in the list. */
  readonly faultCount: number;
  readonly written: number;
  /** Id of the run, by which it can be undone. */
  readonly run?: string;
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
  readonly onProgress: (phase: 'checking' | 'writing', bytes: number, ofBytes: number) => void;
}

interface Checked<T> {
  readonly line: number;
  readonly record: T;
}

const schemaFaults = (
  { line, value }: Row & { readonly value: unknown },
  issues: readonly Issue[],
  known: readonly string[],
): Fault[] =>
  problemItems(issues, 'body', known, value).map(({ pointer = '#', detail }) => {
    const column = decodeURIComponent(pointer.slice(2)).replaceAll('/', '.');
    return { line, ...(column ? { column } : {}), detail };
  });

/** Collects every fault of a file. Writes nothing. */
const createChecker = <T>({ schema, key, references, credit }: Kind<T>, terms: Terms) => {
  const faults: Fault[] = [];
  let faultCount = 0;
  const seen = createSeen();
  const line = creditLine(terms);
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

  const add = (found: readonly Fault[]): void => {
    faultCount += found.length;
    faults.push(...found.slice(0, Math.max(0, SHOWN - faults.length)));
  };
  const checkRow = (row: Row): Checked<T>[] => {
    if (row.error !== undefined) {
      add([{ line: row.line, detail: `The line ${row.error}.` }]);
      return [];
    }
    const result = schema.safeParse(row.value);
    if (!result.success) {
      add(schemaFaults(row, result.error.issues as readonly Issue[], known));
      return [];
    }
    const name = key(result.data);
    const earlier = seen.see(name, row.line);
    if (earlier !== undefined) add([{ line: row.line, detail: `"${name}" is on line ${earlier} already.` }]);
    if (line !== undefined && credit && !credit(result.data, line, terms.sourceUrl))
      add([{ line: row.line, column: 'provenance', detail: NO_PLACE }]);
    return [{ line: row.line, record: result.data }];
  };
  const checkReferences = async (rows: readonly Checked<T>[]): Promise<void> => {
    const places = rows.flatMap(({ line, record }) => references(record).map((reference) => ({ line, reference })));
    const dangling = await danglingReferences(places.map(({ reference }) => reference));
    add(
      places.filter(({ reference }) => dangling.has(reference)).map(({ line, reference }) => missing(line, reference)),
    );
  };
  return {
    add,
    check: async (rows: readonly Row[]): Promise<T[]> => {
      const checked = rows.flatMap(checkRow);
      await checkReferences(checked);
      return checked.map(({ record }) => record);
    },
    result: () => ({ faults, faultCount }),
  };
};

const NO_PLACE = 'The row names no source that could carry the attribution: add provenance, or --source URL.';

const missing = (line: number, { to, key, column }: Reference): Fault => ({
  line,
  column,
  detail: `There is no ${to} "${key}".`,
});

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

/** Returns the records to write, with the attribution that the data asks for. */
const recordsOf = <T>(kind: Kind<T>, run: RunDocument, rows: readonly Row[]): T[] => {
  const line = creditLine(run);
  return rows.map((row) => {
    const record = kind.schema.parse(row.error === undefined ? row.value : undefined);
    return line === undefined ? record : (kind.credit?.(record, line, run.sourceUrl) ?? record);
  });
};

/** One batch of a run. */
interface Batch<T> {
  readonly number: number;
  readonly records: readonly T[];
}

/** Writes one batch and the record of what it replaced in one transaction. */
const writeBatch = <T>(context: Context, kind: Kind<T>, run: RunDocument, { number, records }: Batch<T>) =>
  inTransaction(context, async (c) => {
    const write = (states: ReadonlyMap<string, object>) =>
      kind.write(c, records, { reason: reasonOf(run._id), states });
    await keepBatch(run, number, await replaced(kind.state, records.map(kind.stateKey), write, c.tx), c.tx);
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

/**
 * Imports a file in two passes: the first checks every row, and the second writes a file without faults in transactions
 * of 500 rows. A stopped import can be resumed, or run again, since rows replace records with the same key.
 * @throws DomainError if the file is unreadable or its run cannot go on
 */
export const runImport = async <T>(context: Context, job: Job<T>): Promise<Report> => {
  const batches = await createReader(job);
  const checker = createChecker(job.kind, job);
  const digest = createHash('sha256');
  let rows = 0;
  for await (const batch of batches('checking', (chunk) => digest.update(chunk))) {
    await checker.check(batch);
    rows += batch.length;
  }
  if (rows === 0) checker.add([{ line: 1, detail: 'The file has no rows.' }]);
  const { faults, faultCount } = checker.result();
  if (faultCount > 0 || job.dryRun) return { rows, faults, faultCount, written: 0 };
  const run = await openRun(context, job, digest.digest('hex'), rows);
  let number = 0;
  let written = 0;
  for await (const batch of batches('writing')) {
    if (++number <= run.batches) continue;
    await writeBatch(context, job.kind, run, { number, records: recordsOf(job.kind, run, batch) });
    written += batch.length;
  }
  await finishRun(context, run);
  return { rows, faults, faultCount, written, run: run._id };
};
