import { allowsNull as canBeNull, createColumnReader, findSchema } from '../../intake/imports/columns.ts';
import { DomainError } from '../../platform/domain-error.ts';

/** A field and its value, as typed: `country=IE`, `entity.legalName=Alpha Ltd`. */
export interface FieldText {
  readonly name: string;
  readonly text: string;
}

const toInputError = (detail: string): DomainError => new DomainError('invalid_input', detail);

/** Reads `field=value`. @throws DomainError invalid_input */
export const parseFieldText = (given: string): FieldText => {
  const [, name, text = ''] = /^([A-Za-z][\w.]*)=(.*)$/s.exec(given) ?? [];
  if (name === undefined) throw toInputError(`"${given}" is not field=value, such as country=IE.`);
  if (text.trim() === '') throw toInputError(`"${name}=" says nothing. To take a field back: ${name}=null`);
  return { name, text };
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the time of a day, `today` or `now`; other texts unchanged. */
const toTime = (text: string, now: Date): string => {
  if (text === 'now') return now.toISOString();
  if (text === 'today') return `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  return DAY.test(text) ? `${text}T00:00:00.000Z` : text;
};

interface RecordForm {
  /** JSON Schema of a record. */
  readonly schema: object;
  readonly now: Date;
}

const completeText = ({ name, text }: FieldText, { schema, now }: RecordForm): string => {
  const format = (findSchema(name.split('.'), schema as never) as { format?: string } | undefined)?.format;
  if (format === 'date-time') return toTime(text.trim(), now);
  return format === 'date' && text.trim() === 'today' ? now.toISOString().slice(0, 10) : text;
};

/**
 * Returns the fields in typed parts, which are read like cells of an import.
 * @throws DomainError invalid_input naming an unknown field
 */
export const readFieldTexts = (parts: readonly FieldText[], form: RecordForm): Record<string, unknown> => {
  try {
    const read = createColumnReader(
      parts.map(({ name }) => name),
      form.schema,
    );
    const { value, faults } = read(parts.map((part) => completeText(part, form)));
    if (faults.length > 0) throw toInputError(faults.map(({ detail }) => detail).join(' '));
    return value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // there is no file: only the fault of the column matters
    throw toInputError(
      error.message
        .replace(/^line 1, column \d+: /, '')
        .replaceAll('column', 'field')
        .replace(/which no single cell holds: write them as .*$/, 'so change one entry: --add, --change or --remove'),
    );
  }
};

/** Returns the form of a list field: with or without parts; undefined if the field is no list. */
export const findListForm = (field: string, { schema }: RecordForm): 'plain' | 'parts' | undefined => {
  const entry = findSchema([field, '0'], schema as never) as { properties?: object } | undefined;
  return entry && (entry.properties === undefined ? 'plain' : 'parts');
};

/** Returns true if the path is a part. */
export const hasPart = (path: readonly string[], { schema }: RecordForm): boolean =>
  findSchema(path, schema as never) !== undefined;

/** Returns a function that returns true if null is a valid value at a path below another one. */
export const createNullCheck =
  (below: readonly string[], { schema }: RecordForm) =>
  (path: readonly string[]): boolean =>
    canBeNull([...below, ...path], schema);
