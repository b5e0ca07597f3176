import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import writeXlsxFile from 'write-excel-file/node';
import { DomainError } from '../../platform/domain-error.ts';
import { describeColumns } from './describe.ts';
import { KINDS, type KindName } from './kinds.ts';

export const TEMPLATE_FORMATS = ['csv', 'xlsx'] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

/** Returns the columns of a template, example columns first, and the example. */
const createRows = (name: KindName): [header: string[], example: (string | number | boolean)[]] => {
  const { example } = KINDS[name];
  const shown = Object.keys(example);
  const isCovered = (column: string): boolean =>
    shown.some((other) => `${other}.`.startsWith(`${column}.`) || other === column);
  const rest = describeColumns(KINDS[name])
    .map((column) => column.name)
    .filter((column) => !isCovered(column));
  const header = [...shown, ...rest];
  return [header, header.map((column) => example[column] ?? '')];
};

/** Cells are text, so that a spreadsheet does not convert entered values. Numbers and booleans keep their types. */
const createWorkbook = async (
  header: readonly string[],
  example: readonly (string | number | boolean)[],
): Promise<Buffer> => {
  const toCell = (value: string | number | boolean) =>
    typeof value === 'string' ? { value, type: String, format: '@' } : { value };
  const rows = [header.map((value) => ({ value, type: String, fontWeight: 'bold' as const })), example.map(toCell)];
  const columns = header.map((name) => ({ width: Math.max(12, name.length + 2) }));
  return writeXlsxFile(rows as never, { columns, stickyRowsCount: 1 } as never).toBuffer();
};

/**
 * Writes a file with the columns of a kind and an example that can be imported.
 * @throws DomainError invalid_input if the file exists already
 */
export const writeTemplate = async (name: KindName, format: TemplateFormat, path: string): Promise<void> => {
  if (existsSync(path)) throw new DomainError('invalid_input', `There is a file "${path}" already: name a new one.`);
  const [header, example] = createRows(name);
  const cells = example.map((value) => (typeof value === 'boolean' ? String(value) : value));
  const content = format === 'xlsx' ? await createWorkbook(header, example) : `\uFEFF${stringify([header, cells])}`;
  await writeFile(path, content, { flag: 'wx' });
};
