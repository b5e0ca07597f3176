import * as z from 'zod';
import { type CellType, findCellType, type JsonSchema, resolveSchema } from './columns.ts';

/** Description of a column in `--help`. */
export interface ColumnHelp {
  readonly name: string;
  readonly type: string;
  /** `always`; `new`: in the first row about a record; `with`: if another column of its part is there; `no`. */
  readonly required: 'always' | 'new' | 'with' | 'no';
  readonly values?: readonly string[];
}

/** Form of a cell of this type, if the type's name does not show it. */
const LOOKS: Readonly<Partial<Record<CellType, string>>> = {
  day: 'day (2026-11-02, or --dates)',
  time: 'time in UTC (2026-11-02T09:30:00Z)',
  amount: 'amount (250.00)',
};

/** Returns the values that a schema allows, if they are listed. */
const listValues = (schema: JsonSchema, root: JsonSchema): readonly string[] => {
  if (schema.$ref) return listValues(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {}, root);
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return (values ?? schema.anyOf?.flatMap((option) => listValues(option, root)) ?? []).map(String);
};

interface SchemaPosition {
  readonly root: JsonSchema;
  readonly path: readonly string[];
  readonly required: ColumnHelp['required'];
}

/** Returns the columns of a value: one, or one for each of its parts. */
const listColumns = (schema: JsonSchema | undefined, { root, path, required }: SchemaPosition): ColumnHelp[] => {
  const here = resolveSchema(schema, root);
  if (!here) return [];
  const name = path.join('.');
  const item = here.items && resolveSchema(here.items, root);
  const type = findCellType(item ?? here);
  if (type && schema) {
    const values = listValues(here.items ?? schema, root);
    const words = LOOKS[type] ?? type;
    return [
      { name, type: item ? `list of ${type}, as a|b` : words, required, ...(values.length > 0 ? { values } : {}) },
    ];
  }
  if (item) return listColumns(item, { root, path: [...path, '0'], required: 'with' });
  return Object.entries(here.properties ?? {}).flatMap(([key, part]) => {
    const isPart = here.required?.includes(key);
    return listColumns(part, { root, path: [...path, key], required: isPart ? 'with' : 'no' });
  });
};

/** Returns every column that a kind of record has, in the order of its schema. */
export const describeColumns = ({ schema, keyColumn }: { schema: z.ZodObject; keyColumn: string }): ColumnHelp[] => {
  const root = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  return Object.entries(root.properties ?? {}).flatMap(([name, part]) => {
    const required = name === keyColumn ? 'always' : root.required?.includes(name) ? 'new' : 'no';
    const place = { root, path: [name], required } as const;
    // a required part makes its own parts required with it
    return listColumns(part, place).map((column) =>
      required === 'new' && column.required === 'with' ? { ...column, required } : column,
    );
  });
};

const REQUIRED: Readonly<Record<ColumnHelp['required'], string>> = {
  always: 'required',
  new: 'required if new',
  with: 'required with its part',
  no: '',
};

/** Formats the columns for `--help`: name, type, whether it is required, allowed values. */
export const formatColumns = (columns: readonly ColumnHelp[]): string => {
  const width = Math.max(...columns.map(({ name }) => name.length));
  const lines = columns.map(({ name, type, required, values }) => {
    const rest = [type, REQUIRED[required], ...(values ? [`one of ${values.join(', ')}`] : [])].filter(Boolean);
    return `  ${name.padEnd(width)}  ${rest.join('; ')}`;
  });
  return ['Columns (a part of a list has a number: .0, .1, …):', ...lines].join('\n');
};
