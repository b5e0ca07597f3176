import type * as z from 'zod';
import { type Issue, problemItems } from '../../http/problem/invalid-request.ts';
import type { StatedRow } from '../../ledger/statements/record.ts';
import type { Tx } from '../../platform/mongo.ts';
import { findAhead } from './happened.rule.ts';
import type { Kind } from './kinds.ts';
import { isObject, type Row } from './rows.ts';
import { creditLine, originOf, type Terms } from './runs.ts';

/** A fault in a file. */
export interface Fault {
  readonly line: number;
  readonly column?: string;
  readonly detail: string;
}

/** What a row says, completed by what is stored, or why it cannot be imported. */
type Read<T> =
  | (StatedRow<T> & { readonly line: number; readonly faults?: undefined })
  | { readonly line: number; readonly faults: readonly Fault[] };

const NO_PLACE = 'The row names no source that could carry the attribution: add provenance, or --source URL.';

/** Returns the key of the record that a row is about; undefined if the row has none. */
const rowKey = <T>({ schema, keyColumn, storedKey }: Kind<T>, row: Row): string | undefined => {
  const given = row.error === undefined && isObject(row.value) ? row.value[keyColumn] : undefined;
  const key = schema.shape[keyColumn]?.safeParse(given).data; // as it is stored: an address without blanks, for example
  return typeof key === 'string' ? storedKey(key) : undefined;
};

/** Returns the fields that a row takes back: those that hold null. */
const takenBackIn = (schema: z.ZodObject, row: Record<string, unknown>): Set<string> =>
  new Set(Object.keys(row).filter((name) => row[name] === null && Object.hasOwn(schema.shape, name)));

/**
 * Completes a row by what is stored: a field that is not there says nothing. A field that is taken back is left out,
 * unless its schema wants to be told that there is no value.
 */
const completed = (
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

/** Fills needed fields that are taken back with what another source says: that is published then. */
const filled = <T>(
  kind: Kind<T>,
  value: Record<string, unknown>,
  takenBack: ReadonlySet<string>,
  other: (field: string) => unknown,
) => {
  const lacking = [...takenBack].filter(
    (name) => value[name] === undefined && !kind.schema.shape[name]?.safeParse(undefined).success,
  );
  return { ...value, ...Object.fromEntries(lacking.map((name) => [name, other(name)])) };
};

/** A row of which a field is missing. */
interface Lacking<T> {
  readonly kind: Kind<T>;
  readonly cells: Record<string, unknown>;
  readonly takenBack: ReadonlySet<string>;
  readonly known: unknown;
}

/** Returns why a field is missing, and what to do: it was taken back, or the record is new, perhaps by a typing error. */
const missingField = <T>(name: string, { kind, cells, takenBack, known }: Lacking<T>): string => {
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

/** The value of a cell that does not fit, as the end of a sentence; nothing if it has parts, or is not there. */
const givenIn = (value: unknown, column: string): string | undefined => {
  const at = column.split('.').reduce<unknown>((here, key) => (here as Record<string, unknown> | null)?.[key], value);
  const text = typeof at === 'number' || typeof at === 'boolean' ? String(at) : at;
  if (typeof text !== 'string') return undefined;
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
};

/** Adds to what is wrong with a cell what is in it. */
const withValue = (detail: string, value: unknown, column: string): string => {
  const given = givenIn(value, column);
  if (given === undefined || / not "|received/.test(detail)) return detail;
  return / must /.test(detail)
    ? detail.replace(/\.?$/, `, not ${given}.`)
    : `${detail.replace(/\.?$/, '.')} It is ${given}.`;
};

const schemaFaults = <T>(line: number, error: z.ZodError, value: unknown, row: Lacking<T>): Fault[] =>
  problemItems(error.issues as readonly Issue[], 'body', Object.keys(row.kind.schema.shape), value).map(
    ({ pointer = '#', detail }) => {
      const column = decodeURIComponent(pointer.slice(2)).replaceAll('/', '.');
      const isMissing = Object.hasOwn(row.kind.schema.shape, column) && isObject(value) && value[column] === undefined;
      const words = isMissing ? missingField(column, row) : withValue(detail, value, column);
      return { line, ...(column ? { column } : {}), detail: words };
    },
  );

const aheadFaults = (line: number, cells: Record<string, unknown>, now: Date): Fault[] =>
  findAhead(cells, now).map(({ column, value }) => ({
    line,
    column,
    detail: `"${column}" must not be in the future, not "${value}".`,
  }));

/** Returns the function that reads a row, given what is known of its record. */
const rowReader = <T>(kind: Kind<T>, terms: Terms, now: Date): ((row: Row, known: unknown) => Read<T>) => {
  const credit = creditLine(terms);
  const { source } = originOf(terms);
  return (row, known) => {
    const { line } = row;
    if (row.error !== undefined) return { line, faults: [{ line, detail: `The line ${row.error}.` }] };
    const cells = isObject(row.value) ? row.value : {};
    const refusal = kind.refuse?.(known);
    if (refusal !== undefined) return { line, faults: [{ line, column: kind.keyColumn, detail: refusal }] };
    const given = new Set(Object.keys(cells));
    const takenBack = takenBackIn(kind.schema, cells);
    const stored = kind.stored(known, given, source);
    const other = (field: string): unknown => kind.elsewhere?.(known, field, source);
    const value = isObject(row.value)
      ? filled(kind, completed(kind.schema, cells, stored, takenBack), takenBack, other)
      : row.value;
    const result = kind.schema.safeParse(value);
    const inCells = (row.faults ?? []).map((fault) => ({ line, ...fault }));
    const inFields = result.success ? [] : schemaFaults(line, result.error, value, { kind, cells, takenBack, known });
    if (!result.success || inCells.length > 0) {
      const isNew = ({ column = '' }: Fault) => !inCells.some((cell) => `${column}.`.startsWith(`${cell.column}.`));
      return { line, faults: [...inCells, ...inFields.filter(isNew)] };
    }
    const ahead = aheadFaults(line, cells, now);
    if (ahead.length > 0) return { line, faults: ahead };
    const record = result.data as T;
    if (credit === undefined || !kind.credit) return { line, record, given, takenBack };
    const credited = kind.credit(record, { credit, source, sourceUrl: terms.sourceUrl, given });
    return credited
      ? { line, record: credited, given, takenBack }
      : { line, faults: [{ line, column: 'provenance', detail: NO_PLACE }] };
  };
};

/**
 * Returns the function that reads some rows, each with what is known of its record.
 * @param now nothing in the rows can have happened later
 */
export const recordReader = <T>(kind: Kind<T>, terms: Terms, now: Date) => {
  const read = rowReader(kind, terms, now);
  return async (rows: readonly Row[], tx: Tx): Promise<(Read<T> & { readonly known: unknown })[]> => {
    const keys = rows.map((row) => rowKey(kind, row));
    const all = await kind.read([...new Set(keys.filter((key) => key !== undefined))], tx);
    return rows.map((row, index) => {
      const known = all.get(keys[index] ?? '');
      return { ...read(row, known), known };
    });
  };
};
