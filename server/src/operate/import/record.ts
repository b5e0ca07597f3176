import type * as z from 'zod';
import { type Issue, problemItems } from '../../http/problem/invalid-request.ts';
import type { Tx } from '../../platform/mongo.ts';
import type { Kind } from './kinds.ts';
import { isObject, type Row } from './rows.ts';
import { creditLine, type Terms } from './runs.ts';
import { KEEPERS } from './states.ts';

/** A fault in a file. */
export interface Fault {
  readonly line: number;
  readonly column?: string;
  readonly detail: string;
}

/** What a row says, completed by what is stored, or why it cannot be imported. */
type Read<T> =
  | { readonly line: number; readonly record: T; readonly given: ReadonlySet<string>; readonly faults?: undefined }
  | { readonly line: number; readonly faults: readonly Fault[] };

const NO_PLACE = 'The row names no source that could carry the attribution: add provenance, or --source URL.';

/** Returns the key of the record that a row is about; undefined if the row has none. */
const rowKey = <T>({ schema, keyColumn, stateKey }: Kind<T>, row: Row): string | undefined => {
  const given = row.error === undefined && isObject(row.value) ? row.value[keyColumn] : undefined;
  const key = schema.shape[keyColumn]?.safeParse(given).data; // as it is stored: an address without blanks, for example
  return typeof key === 'string' ? stateKey(key) : undefined;
};

/**
 * Completes a row by what is stored: a field that is not there says nothing. A null takes a field back, where the field
 * itself cannot be null; a list is empty then.
 */
const completed = (schema: z.ZodObject, row: Record<string, unknown>, stored: object) => {
  const takesBack = (name: string): boolean =>
    row[name] === null && Object.hasOwn(schema.shape, name) && !schema.shape[name]?.safeParse(null).success;
  const fields = Object.entries({ ...stored, ...row }).flatMap(([name, value]) => {
    if (!takesBack(name)) return [[name, value] as const];
    return schema.shape[name]?.safeParse([]).success ? [[name, []] as const] : [];
  });
  return Object.fromEntries(fields);
};

const schemaFaults = (line: number, error: z.ZodError, known: readonly string[], value: unknown): Fault[] =>
  problemItems(error.issues as readonly Issue[], 'body', known, value).map(({ pointer = '#', detail }) => {
    const column = decodeURIComponent(pointer.slice(2)).replaceAll('/', '.');
    return { line, ...(column ? { column } : {}), detail };
  });

/** Returns the function that reads a row, given what is stored of its record. */
const rowReader = <T>(kind: Kind<T>, terms: Terms): ((row: Row, state: object | undefined) => Read<T>) => {
  const credit = creditLine(terms);
  const known = Object.keys(kind.schema.shape);
  return (row, state) => {
    const { line } = row;
    if (row.error !== undefined) return { line, faults: [{ line, detail: `The line ${row.error}.` }] };
    const given = new Set(isObject(row.value) ? Object.keys(row.value) : []);
    const stored = state === undefined ? {} : kind.stored(state, given);
    const value = isObject(row.value) ? completed(kind.schema, row.value, stored) : row.value;
    const result = kind.schema.safeParse(value);
    if (!result.success) return { line, faults: schemaFaults(line, result.error, known, value) };
    const record = result.data as T;
    if (credit === undefined || !kind.credit) return { line, record, given };
    const credited = kind.credit(record, { credit, sourceUrl: terms.sourceUrl, given });
    return credited
      ? { line, record: credited, given }
      : { line, faults: [{ line, column: 'provenance', detail: NO_PLACE }] };
  };
};

/** Returns the function that reads some rows, each with what is stored of its record. */
export const recordReader = <T>(kind: Kind<T>, terms: Terms) => {
  const read = rowReader(kind, terms);
  return async (rows: readonly Row[], tx: Tx): Promise<(Read<T> & { readonly state: object | undefined })[]> => {
    const keys = rows.map((row) => rowKey(kind, row));
    const known = keys.filter((key) => key !== undefined);
    const states = await KEEPERS[kind.state].read(known, tx);
    return rows.map((row, index) => {
      const state = states.get(keys[index] ?? '');
      return { ...read(row, state), state };
    });
  };
};
