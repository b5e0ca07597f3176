import {
  type CellNotation,
  describeBrokenCell,
  type ParseResult,
  parseAmount,
  parseBoolean,
  parseDay,
  parseInteger,
  parseNumber,
  parseText,
  parseTime,
  type SheetCell,
  toCellText,
} from '@broker-transparency/tables';
import { findNearestName } from '../../http/problem/invalid-request.ts';
import { toUnreadableError } from '../unreadable.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

type CellReader = (cell: SheetCell, forms: CellNotation) => ParseResult<unknown>;

/** A fault of a cell. */
export interface CellFault {
  readonly column: string;
  readonly detail: string;
}

/** A row by column names. A faulty cell is kept as text. */
export interface CellRow {
  readonly value: Record<string, unknown>;
  readonly faults: readonly CellFault[];
}

/** Cell text that takes a field back. An empty cell has no effect. */
const TAKEN_BACK = 'null';

/** Contents of a column in the words of `--help`, and the parser of its cells. */
const CELLS = {
  text: parseText,
  day: parseDay,
  time: parseTime,
  amount: parseAmount,
  number: parseNumber,
  'whole number': parseInteger,
  'true or false': parseBoolean,
} as const satisfies Record<string, CellReader>;
export type CellType = keyof typeof CELLS;

/** Follows references and removes `null` from a union. */
export const resolveSchema = (schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined => {
  if (!schema) return undefined;
  if (schema.$ref) return resolveSchema(root.$defs?.[schema.$ref.replace('#/$defs/', '')], root);
  const known = schema.anyOf?.find((option) => option.type !== 'null');
  return known ? resolveSchema(known, root) : schema;
};

/** Returns the schema of a column: `licenses.0.status` is the status of the first licence. */
export const findSchema = (path: readonly string[], root: JsonSchema): JsonSchema | undefined =>
  path.reduce<JsonSchema | undefined>((schema, part) => {
    const here = resolveSchema(schema, root);
    return resolveSchema(/^(0|[1-9]\d{0,2})$/.test(part) ? here?.items : here?.properties?.[part], root);
  }, root);

/** Returns whether null is a value at a path below another one, besides taking a field back. */
export const allowsNull = (path: readonly string[], root: unknown): boolean => {
  const isNull = ({ type, anyOf }: JsonSchema): boolean =>
    type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf?.some(isNull) === true;
  const part = findSchema(path.slice(0, -1), root as JsonSchema)?.properties?.[path.at(-1) ?? ''];
  return path.length > 1 && part !== undefined && isNull(part);
};

const findJsonType = (schema: JsonSchema): string | undefined =>
  typeof schema.type === 'string' ? schema.type : schema.type?.find((type) => type !== 'null');

/** End of the pattern for amounts of money. */
const TWO_DECIMALS = '\\.\\d{2}$';

const TEXT_FORMATS: Readonly<Record<string, CellType>> = { date: 'day', 'date-time': 'time' };
const OTHER_TYPES: Readonly<Record<string, CellType>> = {
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
};

/** Returns the type of a cell with this schema; undefined if no cell can hold such a value. */
export const findCellType = (schema: JsonSchema): CellType | undefined => {
  const type = findJsonType(schema) ?? '';
  if (type !== 'string') return OTHER_TYPES[type];
  if (schema.pattern?.endsWith(TWO_DECIMALS)) return 'amount';
  return TEXT_FORMATS[schema.format ?? ''] ?? 'text';
};

/** Joins the values of a list; returns the first fault if there is one. */
const joinParsed = (parts: readonly ParseResult<unknown>[]): ParseResult<unknown[]> => {
  const fault = parts.find((part) => 'fault' in part);
  return fault ?? { value: parts.map((part) => ('value' in part ? part.value : undefined)) };
};

/**
 * Returns the reader of a cell with this schema, or undefined if a cell cannot hold such a value. A list of plain
 * values is written as `a|b`.
 */
const createCellReader = (schema: JsonSchema, root: JsonSchema): CellReader | undefined => {
  if (findJsonType(schema) !== 'array') {
    const type = findCellType(schema);
    return type && CELLS[type];
  }
  const item = resolveSchema(schema.items, root);
  const type = item && findCellType(item);
  if (!type) return undefined;
  const read: CellReader = CELLS[type];
  return (cell, forms) => {
    const parts = typeof cell === 'string' ? cell.split('|').map((part) => part.trim()) : [cell];
    return joinParsed(parts.map((part) => read(part, forms)));
  };
};

/** Returns the path of a column for a part of this one; undefined if it has no parts. */
const findPartPath = (path: readonly string[], root: JsonSchema): readonly string[] | undefined => {
  const schema = findSchema(path, root);
  if (!schema) return undefined;
  if (createCellReader(schema, root)) return path;
  const part = schema.items ? '0' : Object.keys(schema.properties ?? {})[0];
  return part === undefined ? undefined : findPartPath([...path, part], root);
};

/** Returns the column that a misspelt one probably means. */
const findNearestColumn = (path: readonly string[], root: JsonSchema): string | undefined => {
  const at = path.findIndex((_, index) => findSchema(path.slice(0, index + 1), root) === undefined);
  const [before, name = '', after] = [path.slice(0, at), path[at], path.slice(at + 1)];
  const here = before.length === 0 ? root : findSchema(before, root);
  const nearest = findNearestName(name, Object.keys(here?.properties ?? {}));
  const candidates = [
    ...(here?.items ? [[...before, '0', name, ...after]] : []),
    ...(nearest === undefined
      ? []
      : [
          [...before, nearest, ...after],
          [...before, nearest],
        ]),
  ];
  return candidates.find((candidate) => findSchema(candidate, root) !== undefined)?.join('.');
};

/** Returns the reason why a column cannot be read, and the correct name. */
const describeColumnFault = (name: string, root: JsonSchema): string => {
  const path = name.split('.');
  const part = findPartPath(path, root)?.join('.');
  if (part !== undefined)
    return `"${name}" has parts, which no single cell holds: write them as "${part}" and so on, or import NDJSON`;
  const nearest = findNearestColumn(path, root);
  return `"${name}" is not a known column${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
};

/** Sets the value at a path. Numbers in the path make arrays. */
const setAt = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  let here = target;
  for (const [index, part] of path.entries()) {
    const next = path[index + 1];
    if (next === undefined) {
      here[part] = value;
      return;
    }
    here[part] ??= /^\d+$/.test(next) ? [] : {};
    here = here[part] as Record<string, unknown>;
  }
};

/** Parses a cell, or returns its fault. */
const readCell = (cell: SheetCell, read: CellReader, forms: CellNotation): ParseResult<unknown> => {
  const broken = describeBrokenCell(cell);
  return broken === undefined ? read(cell, forms) : { fault: broken };
};

/**
 * Returns the function that turns the cells of a row into an object, by the column names in the header. It omits empty
 * cells, and unnamed columns at the end.
 * @throws DomainError unreadable_file if a column is unknown, unnamed, repeated or part of another one
 */
export const createColumnReader = (
  header: readonly string[],
  schema: unknown,
  forms: CellNotation = {},
): ((cells: readonly SheetCell[]) => CellRow) => {
  const root = schema as JsonSchema;
  const names = header.map((name) => name.trim());
  const last = names.findLastIndex((name) => name !== '');
  const columns = names.flatMap((name, index) => {
    if (name.startsWith('#')) return []; // a note of `--bad-rows` beside the data
    if (index > last && last >= 0) return []; // spreadsheets write empty columns at the end
    const path = name.split('.');
    const found = findSchema(path, root);
    const read = found && (createCellReader(found, root) ?? (allowsNull(path, root) ? CELLS.text : undefined));
    if (!read) throw toUnreadableError(`line 1, column ${index + 1}: ${describeColumnFault(name, root)}`);
    if (names.indexOf(name) !== index) throw toUnreadableError(`line 1, column ${index + 1}: "${name}" is there twice`);
    const whole = names.find((other) => name.startsWith(`${other}.`) && !allowsNull(other.split('.'), root));
    if (whole !== undefined)
      throw toUnreadableError(`line 1, column ${index + 1}: "${name}" is a part of "${whole}", which is a column too`);
    return [{ index, name, path, read }];
  });
  return (cells) => {
    const value: Record<string, unknown> = {};
    const faults: CellFault[] = [];
    for (const { index, name, path, read } of columns) {
      const cell = cells[index] ?? '';
      const text = toCellText(cell);
      if (text === '') continue;
      const parsed =
        text === TAKEN_BACK ? { value: null } : readCell(typeof cell === 'string' ? text : cell, read, forms);
      if ('fault' in parsed) faults.push({ column: name, detail: `"${name}" ${parsed.fault}.` });
      setAt(value, path, 'fault' in parsed ? text : parsed.value);
    }
    return { value, faults };
  };
};
