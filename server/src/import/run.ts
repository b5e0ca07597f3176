import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { type Issue, problemItems } from '../http/validation.ts';
import { danglingReferences, type Kind, type Reference } from './kinds.ts';
import { type Format, type Row, readRows } from './rows.ts';

/** Rows checked or written at a time. */
const BATCH = 500;
/** Faults that are kept for the report; the rest is only counted. */
const SHOWN = 100;

/** A place in a file that keeps it from being imported. */
export interface Fault {
  readonly line: number;
  readonly column?: string;
  readonly detail: string;
}

export interface Report {
  readonly rows: number;
  readonly faults: readonly Fault[];
  /** Of all faults, the shown ones included. */
  readonly faultCount: number;
  readonly written: number;
}

interface Job<T> {
  readonly file: string;
  readonly format: Format;
  readonly kind: Kind<T>;
  readonly dryRun: boolean;
  readonly onProgress: (phase: 'checking' | 'writing', bytes: number, ofBytes: number) => void;
}

interface Checked<T> {
  readonly line: number;
  readonly record: T;
}

/** 52 bits of a key: enough to tell a million apart, small enough to keep them all. */
const keyNumber = (key: string): number => Number.parseInt(hash('sha256', key).slice(0, 13), 16);

const schemaFaults = (
  { line, value }: Row & { readonly value: unknown },
  issues: readonly Issue[],
  known: readonly string[],
): Fault[] =>
  problemItems(issues, 'body', known, value).map(({ pointer = '#', detail }) => {
    const column = decodeURIComponent(pointer.slice(2)).replaceAll('/', '.');
    return { line, ...(column ? { column } : {}), detail };
  });

/** Finds every fault of a file, without writing anything. */
const createChecker = <T>({ schema, key, references }: Kind<T>) => {
  const faults: Fault[] = [];
  let faultCount = 0;
  const lineByKey = new Map<number, number>();
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
    const earlier = lineByKey.get(keyNumber(name));
    if (earlier !== undefined) add([{ line: row.line, detail: `"${name}" is on line ${earlier} already.` }]);
    lineByKey.set(keyNumber(name), row.line);
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

/**
 * Imports a file. It is read twice: first every row is checked, and only a file without a fault is written, in
 * transactions of 500 rows. Stopped in the middle, it can be run again: rows are found by their key.
 * @throws UnreadableFile
 */
export const runImport = async <T>(context: Context, job: Job<T>): Promise<Report> => {
  const { size } = await stat(job.file);
  const schema = z.toJSONSchema(job.kind.schema, { io: 'input' });
  const batches = (phase: 'checking' | 'writing') => {
    let bytes = 0;
    return inBatches(
      readRows(job.file, job.format, {
        schema,
        onBytes: (count) => {
          bytes += count;
          job.onProgress(phase, bytes, size);
        },
      }),
    );
  };
  const checker = createChecker(job.kind);
  let rows = 0;
  for await (const batch of batches('checking')) {
    await checker.check(batch);
    rows += batch.length;
  }
  if (rows === 0) checker.add([{ line: 1, detail: 'The file has no rows.' }]);
  const { faults, faultCount } = checker.result();
  if (faultCount > 0 || job.dryRun) return { rows, faults, faultCount, written: 0 };
  let written = 0;
  for await (const batch of batches('writing')) {
    const records = batch.map((row) => job.kind.schema.parse(row.error === undefined ? row.value : undefined));
    await job.kind.write(context, records);
    written += records.length;
  }
  return { rows, faults, faultCount, written };
};
