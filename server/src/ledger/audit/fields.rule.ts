/** Value of one field of a record. A list of plain values counts as one value, written as JSON. */
export type PlainValue = string | number | boolean | null;

/** One field that differs. A missing field is null. */
export interface FieldChange {
  /** The path of the field, such as `licenses.asic 218600 Alpha Ltd.status`. */
  readonly field: string;
  readonly before: PlainValue;
  readonly after: PlainValue;
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object';

const collect = (value: unknown, path: string, fields: Map<string, PlainValue>): void => {
  if (value === undefined) return;
  if (isPlain(value)) fields.set(path, value as PlainValue);
  else if (value instanceof Date) fields.set(path, value.toISOString());
  else if (Array.isArray(value)) fields.set(path, JSON.stringify(value));
  else
    for (const [key, inner] of Object.entries(value as object)) collect(inner, path ? `${path}.${key}` : key, fields);
};

/** Returns the fields of a record by their paths. A list becomes one field: callers key lists of records first. */
export const flattenFields = (record: object): ReadonlyMap<string, PlainValue> => {
  const fields = new Map<string, PlainValue>();
  collect(record, '', fields);
  return fields;
};

/** Keys the members of a list, so that a path names a member and not its position. A repeated key is numbered. */
export const keyMembers = <T>(members: readonly T[], toKey: (member: T) => string): Record<string, T> => {
  const byKey = new Map<string, T>();
  for (const member of members) {
    const key = toKey(member);
    let name = key;
    for (let n = 2; byKey.has(name); n++) name = `${key} (${n})`;
    byKey.set(name, member);
  }
  return Object.fromEntries(byKey);
};

/** Returns every field in which two records differ. Null stands for a missing record. */
export const fieldChanges = (before: object | null, after: object | null): FieldChange[] => {
  const [was, is] = [flattenFields(before ?? {}), flattenFields(after ?? {})];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => {
    const change = { field, before: was.get(field) ?? null, after: is.get(field) ?? null };
    return change.before === change.after ? [] : [change];
  });
};

/** Returns `before` and `after` of an audit entry: the fields that differ, with the values they had and have. */
export const auditedChange = (before: object | null, after: object | null) => {
  const changes = fieldChanges(before, after);
  const side = (name: 'before' | 'after') => Object.fromEntries(changes.map((change) => [change.field, change[name]]));
  return { before: before === null ? null : side('before'), after: after === null ? null : side('after') };
};
