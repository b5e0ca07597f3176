import type * as z from 'zod';
import { type Issue, toProblemItems } from '../../http/problem/invalid-request.ts';
import type { ImportKind } from '../../ledger/import-kind.ts';
import type { StatementRow } from '../../ledger/statements/record.ts';
import type { Tx } from '../../platform/mongo.ts';
import { findFutureValues } from './happened.rule.ts';
import { type FileRow, isObject } from './rows.ts';
import { formatCredit, type Terms, toOrigin } from './runs.ts';

/** A fault in a file. */
export interface ImportFault {
  readonly line: number;
  readonly column?: string;
  readonly detail: string;
}

/** A row completed by the stored state, or the faults that prevent its import. */
type ReadRow<T> =
  | (StatementRow<T> & { readonly line: number; readonly faults?: undefined })
  | { readonly line: number; readonly faults: readonly ImportFault[] };

const NO_PLACE = 'The row names no source that could carry the attribution: add provenance, or --source URL.';

/** Returns the key of a row's record; undefined if the row has none. */
const findRowKey = <T>({ schema, keyColumn, storedKey }: ImportKind<T>, row: FileRow): string | undefined => {
  const given = row.error === undefined && isObject(row.value) ? row.value[keyColumn] : undefined;
  const key = schema.shape[keyColumn]?.safeParse(given).data; // in its stored form, such as an address without blanks
  return typeof key === 'string' ? storedKey(key) : undefined;
};

/** Returns the fields that a row takes back: those with null. */
const findTakenBack = (schema: z.ZodObject, row: Record<string, unknown>): Set<string> =>
  new Set(Object.keys(row).filter((name) => row[name] === null && Object.hasOwn(schema.shape, name)));

/**
 * Completes a row by the stored state: a missing field stays unchanged. A field that is taken back is left out, unless
 * its schema requires null for a missing value.
 */
const completeRow = (
  { shape }: z.ZodObject,
  row: Record<string, unknown>,
  stored: object,
  takenBack: ReadonlySet<string>,
) =>
  Object.fromEntries(
    Object.entries({ ...stored, ...row }).filter(
      ([name]) =>
        !takenBack.has(name) || (shape[name]?.safeParse(null).success && !shape[name].safeParse(undefined).success),
    ),
  );

/** Fills required fields that are taken back with the claim of another source, which is then published. */
const fillTakenBack = <T>(
  kind: ImportKind<T>,
  value: Record<string, unknown>,
  takenBack: ReadonlySet<string>,
  other: (field: string) => unknown,
) => {
  const lacking = [...takenBack].filter(
    (name) => value[name] === undefined && !kind.schema.shape[name]?.safeParse(undefined).success,
  );
  return { ...value, ...Object.fromEntries(lacking.map((name) => [name, other(name)])) };
};

/** A row with a missing field. */
interface IncompleteRow<T> {
  readonly kind: ImportKind<T>;
  readonly cells: Record<string, unknown>;
  readonly takenBack: ReadonlySet<string>;
  readonly known: unknown;
}

/**
 * Returns the reason why a field is missing, and the cure: it was taken back, or the record is new, perhaps by a typo.
 */
const describeMissingField = <T>(name: string, { kind, cells, takenBack, known }: IncompleteRow<T>): string => {
  const { noun, keyColumn, instead } = kind;
  if (name === keyColumn) return `"${name}" is required.`;
  if (takenBack.has(name))
    return (
      `"${name}" cannot be taken back, since every ${noun} needs it: state the right value` +
      `${instead === undefined ? '' : `, ${instead}`}.`
    );
  const key = cells[keyColumn];
  if (typeof key !== 'string' || !kind.isNew(known)) return `"${name}" is required.`;
  return `"${name}" is required for a new ${noun}: none has the ${keyColumn} "${key}" yet. Is it spelt right?`;
};

const SHOWN = 40;

/** Returns the value of a faulty cell for the end of a sentence; undefined if it has parts or is missing. */
const formatGiven = (value: unknown, column: string): string | undefined => {
  const at = column.split('.').reduce<unknown>((here, key) => (here as Record<string, unknown> | null)?.[key], value);
  const text = typeof at === 'number' || typeof at === 'boolean' ? String(at) : at;
  if (typeof text !== 'string') return undefined;
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
};

/** Adds the value of a cell to its fault. */
const withValue = (detail: string, value: unknown, column: string): string => {
  const given = formatGiven(value, column);
  if (given === undefined || / not "|received/.test(detail)) return detail;
  return / must /.test(detail)
    ? detail.replace(/\.?$/, `, not ${given}.`)
    : `${detail.replace(/\.?$/, '.')} It is ${given}.`;
};

const toSchemaFaults = <T>(line: number, error: z.ZodError, value: unknown, row: IncompleteRow<T>): ImportFault[] =>
  toProblemItems(error.issues as readonly Issue[], 'body', Object.keys(row.kind.schema.shape), value).map(
    ({ pointer = '#', detail }) => {
      const column = decodeURIComponent(pointer.slice(2)).replaceAll('/', '.');
      const isMissing = Object.hasOwn(row.kind.schema.shape, column) && isObject(value) && value[column] === undefined;
      const words = isMissing ? describeMissingField(column, row) : withValue(detail, value, column);
      return { line, ...(column ? { column } : {}), detail: words };
    },
  );

const toFutureFaults = (line: number, cells: Record<string, unknown>, now: Date): ImportFault[] =>
  findFutureValues(cells, now).map(({ column, value }) => ({
    line,
    column,
    detail: `"${column}" must not be in the future, not "${value}".`,
  }));

const toForeignFaults = (line: number, columns: readonly string[], given: ReadonlySet<string>): ImportFault[] =>
  columns
    .filter((column) => given.has(column.split('.')[0] as string))
    .map((column) => ({
      line,
      column,
      detail:
        `"${column}" must be absent: only a register, an authority or an editor can state it. ` +
        'Leave it out, or read the register and state it as editor.',
    }));

/** Returns the function that parses a row, given the stored state of its record. */
const createRowReader = <T>(
  kind: ImportKind<T>,
  terms: Terms,
  now: Date,
): ((row: FileRow, known: unknown) => ReadRow<T>) => {
  const credit = formatCredit(terms);
  const { source } = toOrigin(terms);
  return (row, known) => {
    const { line } = row;
    if (row.error !== undefined) return { line, faults: [{ line, detail: `The line ${row.error}.` }] };
    const cells = isObject(row.value) ? row.value : {};
    const refusal = kind.refuse?.(known);
    if (refusal !== undefined) return { line, faults: [{ line, column: kind.keyColumn, detail: refusal }] };
    const given = new Set(Object.keys(cells));
    const takenBack = findTakenBack(kind.schema, cells);
    const stored = kind.stored(known, given, source);
    const findOther = (field: string): unknown => kind.elsewhere?.(known, field, source);
    const value = isObject(row.value)
      ? fillTakenBack(kind, completeRow(kind.schema, cells, stored, takenBack), takenBack, findOther)
      : row.value;
    const result = kind.schema.safeParse(value);
    const inCells = (row.faults ?? []).map((fault) => ({ line, ...fault }));
    const inFields = result.success ? [] : toSchemaFaults(line, result.error, value, { kind, cells, takenBack, known });
    if (!result.success || inCells.length > 0) {
      const isNew = ({ column = '' }: ImportFault) =>
        !inCells.some((cell) => `${column}.`.startsWith(`${cell.column}.`));
      return { line, faults: [...inCells, ...inFields.filter(isNew)] };
    }
    const ahead = toFutureFaults(line, cells, now);
    if (ahead.length > 0) return { line, faults: ahead };
    const record = result.data as T;
    const foreign = toForeignFaults(line, kind.listForeign?.(record, source) ?? [], given);
    if (foreign.length > 0) return { line, faults: foreign };
    if (credit === undefined || !kind.credit) return { line, record, given, takenBack };
    const credited = kind.credit(record, { credit, source, sourceUrl: terms.sourceUrl, given });
    return credited
      ? { line, record: credited, given, takenBack }
      : { line, faults: [{ line, column: 'provenance', detail: NO_PLACE }] };
  };
};

/**
 * Returns the function that parses some rows, each with the stored state of its record.
 * @param now latest possible time of events in the rows
 */
export const createRecordReader = <T>(kind: ImportKind<T>, terms: Terms, now: Date) => {
  const read = createRowReader(kind, terms, now);
  return async (rows: readonly FileRow[], tx: Tx): Promise<(ReadRow<T> & { readonly known: unknown })[]> => {
    const keys = rows.map((row) => findRowKey(kind, row));
    const all = await kind.read([...new Set(keys.filter((key) => key !== undefined))], tx);
    return rows.map((row, index) => {
      const known = all.get(keys[index] ?? '');
      return { ...read(row, known), known };
    });
  };
};
