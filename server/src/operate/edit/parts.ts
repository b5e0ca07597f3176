import { takesNull as canBeNull, columnReader, schemaAt } from '../../intake/imports/columns.ts';
import { DomainError } from '../../platform/domain-error.ts';

/** A field and its value as somebody types them: `country=IE`, `entity.legalName=Alpha Ltd`. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

const invalid = (detail: string): DomainError => new DomainError('invalid_input', detail);

/** Reads `field=value`. @throws DomainError invalid_input */
export const parsePart = (given: string): Part => {
  const [, name, text = ''] = /^([A-Za-z][\w.]*)=(.*)$/s.exec(given) ?? [];
  if (name === undefined) throw invalid(`"${given}" is not field=value, such as country=IE.`);
  if (text.trim() === '') throw invalid(`"${name}=" says nothing. To take a field back: ${name}=null`);
  return { name, text };
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day, `today` or `now` where the field is a time. */
const asTime = (text: string, now: Date): string => {
  if (text === 'now') return now.toISOString();
  if (text === 'today') return `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  return DAY.test(text) ? `${text}T00:00:00.000Z` : text;
};

interface Form {
  /** JSON Schema of a record. */
  readonly schema: object;
  readonly now: Date;
}

const completedText = ({ name, text }: Part, { schema, now }: Form): string => {
  const format = (schemaAt(name.split('.'), schema as never) as { format?: string } | undefined)?.format;
  if (format === 'date-time') return asTime(text.trim(), now);
  return format === 'date' && text.trim() === 'today' ? now.toISOString().slice(0, 10) : text;
};

/**
 * Returns the fields that parts say, read as cells of an import are.
 * @throws DomainError invalid_input naming a field that is not known
 */
export const readParts = (parts: readonly Part[], form: Form): Record<string, unknown> => {
  try {
    const read = columnReader(
      parts.map(({ name }) => name),
      form.schema,
    );
    const { value, faults } = read(parts.map((part) => completedText(part, form)));
    if (faults.length > 0) throw invalid(faults.map(({ detail }) => detail).join(' '));
    return value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // there is no file: only what is wrong with the column matters
    throw invalid(
      error.message
        .replace(/^line 1, column \d+: /, '')
        .replaceAll('column', 'field')
        .replace(/which no single cell holds: write them as .*$/, 'so change one entry: --add, --change or --remove'),
    );
  }
};

/** Whether a field is a list, and whether its entries have parts. */
export const listForm = (field: string, { schema }: Form): 'plain' | 'parts' | undefined => {
  const entry = schemaAt([field, '0'], schema as never) as { properties?: object } | undefined;
  return entry && (entry.properties === undefined ? 'plain' : 'parts');
};

/** Whether there is such a part. */
export const hasPart = (path: readonly string[], { schema }: Form): boolean =>
  schemaAt(path, schema as never) !== undefined;

/** Returns a function that tells of a path below another one whether null is a value there. */
export const takesNull =
  (below: readonly string[], { schema }: Form) =>
  (path: readonly string[]): boolean =>
    canBeNull([...below, ...path], schema);
