import { isObject } from '../../intake/imports/rows.ts';
import { DomainError } from '../../platform/domain-error.ts';

/** The cells of a record, by the path of their field. */
export type CellsByPath = ReadonlyMap<string, string>;

/** The cell that an import reads as null, and the separator of the values of a list. */
const [NULL, BETWEEN] = ['null', '|'];

const isPlain = (value: unknown): value is string | number | boolean => !isObject(value) && !Array.isArray(value);

/**
 * Returns the cell of a value, as an import reads it. @throws DomainError invalid_input if no cell can hold the value
 */
const toCell = (value: string | number | boolean, path: string, isInList: boolean): string => {
  const text = String(value);
  if (text.trim() !== text || text === NULL || (isInList && (text.includes(BETWEEN) || text === '')))
    throw new DomainError(
      'invalid_input',
      `${path} is ${JSON.stringify(text)}, which CSV cannot hold: --format ndjson.`,
    );
  return text;
};

const addCells = (cells: Map<string, string>, path: string, value: unknown): void => {
  if (value === undefined) return;
  if (value === null) {
    if (path.includes('.')) cells.set(path, NULL); // at the top level it would withdraw the field
  } else if (isObject(value))
    for (const [name, part] of Object.entries(value)) addCells(cells, `${path}.${name}`, part);
  else if (!Array.isArray(value)) cells.set(path, toCell(value as string, path, false));
  else if (value.every(isPlain)) {
    if (value.length > 0) cells.set(path, value.map((part) => toCell(part, path, true)).join(BETWEEN));
  } else for (const [at, part] of value.entries()) addCells(cells, `${path}.${at}`, part);
};

/**
 * Returns a record as cells. An empty list and a null at the top level have no cell.
 * @throws DomainError invalid_input if a cell cannot hold a value
 */
export const toCells = (row: object): CellsByPath => {
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(row)) addCells(cells, name, value);
  return cells;
};

/** Returns the columns of records in order: fields in the order of the schema, entries of lists one after another. */
export const sortColumns = (paths: Iterable<string>, fields: readonly string[]): string[] => {
  const findRank = (path: string): number => fields.indexOf(path.split('.', 1)[0] ?? '');
  const findPosition = (path: string): number => Number(/\.(\d+)/.exec(path)?.[1] ?? 0);
  const all = [...paths];
  const seen = new Map(all.map((path, at) => [path, at]));
  return all.sort(
    (a, b) => findRank(a) - findRank(b) || findPosition(a) - findPosition(b) || (seen.get(a) ?? 0) - (seen.get(b) ?? 0),
  );
};
