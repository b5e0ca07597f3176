import type { Row } from './row.rule.ts';

const toTexts = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(toTexts);
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.normalize('NFC').trim()];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
};

const findTexts = (value: unknown, way: readonly string[]): string[] => {
  const [name, ...rest] = way;
  if (name === undefined) return toTexts(value);
  if (Array.isArray(value)) return value.flatMap((one) => findTexts(one, way));
  if (typeof value !== 'object' || value === null) return [];
  return Object.hasOwn(value, name) ? findTexts((value as Readonly<Record<string, unknown>>)[name], rest) : [];
};

const listTexts = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : toTexts(value);

/** A row of JSON: `a.b` is the field of that name, or else `b` within `a`, within each element if `a` is a list. */
export class JsonRow implements Row {
  readonly at: string;
  private readonly value: object;

  constructor(at: string, value: object) {
    this.at = at;
    this.value = value;
  }

  get(column: string): string[] {
    return Object.hasOwn(this.value, column)
      ? toTexts((this.value as Readonly<Record<string, unknown>>)[column])
      : findTexts(this.value, column.split('.'));
  }

  has(column: string): boolean {
    return Object.hasOwn(this.value, column) || this.get(column).length > 0;
  }

  all(): string[] {
    return listTexts(this.value);
  }
}
