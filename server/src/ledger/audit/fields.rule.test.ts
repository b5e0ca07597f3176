import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditedChange, fieldChanges, flattenFields, keyMembers } from './fields.rule.ts';

test.each<[string, object | null, object | null, [string, unknown, unknown][]]>([
  ['nothing, where nothing differs', { a: 1, b: { c: 'x' } }, { b: { c: 'x' }, a: 1 }, []],
  ['a value', { status: 'active' }, { status: 'withdrawn' }, [['status', 'active', 'withdrawn']]],
  ['a value inside', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, [['a.b.c', 1, 2]]],
  ['a field that came', {}, { lei: 'X' }, [['lei', null, 'X']]],
  ['a field that went', { lei: 'X' }, { lei: undefined }, [['lei', 'X', null]]],
  ['a list of values, whole', { names: ['a', 'b'] }, { names: ['b', 'a'] }, [['names', '["a","b"]', '["b","a"]']]],
  [
    'every field of a new record',
    null,
    { a: 1, b: { c: 2 } },
    [
      ['a', null, 1],
      ['b.c', null, 2],
    ],
  ],
  ['every field of a record that is gone', { a: 1 }, null, [['a', 1, null]]],
  ['no null that was not there before', {}, { lei: null }, []],
  ['a time by its text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }, []],
])('fieldChanges names %s', (_, before, after, changes) => {
  expect(fieldChanges(before, after)).toEqual(changes.map(([field, b, a]) => ({ field, before: b, after: a })));
});

test('applying the changes of two records to the first gives the second', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  const record = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.oneof(value, fc.dictionary(fc.constantFrom('x', 'y'), value, { minKeys: 1 })),
  );
  fc.assert(
    fc.property(record, record, (before, after) => {
      const fields = new Map(flattenFields(before));
      for (const change of fieldChanges(before, after))
        if (change.after === null) fields.delete(change.field);
        else fields.set(change.field, change.after);
      expect(new Map([...fields].sort())).toEqual(new Map([...flattenFields(after)].sort()));
    }),
    { seed: 16 },
  );
});

describe('auditedChange', () => {
  test('auditedChange has only the fields that differ, on both sides', () => {
    expect(auditedChange({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 })).toEqual({
      before: { b: 2, c: null },
      after: { b: 3, c: 4 },
    });
  });
  test('auditedChange has null for a record that is not there', () => {
    expect(auditedChange(null, { a: 1 })).toEqual({ before: null, after: { a: 1 } });
    expect(auditedChange({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null });
  });
});

test('keyed names each member, and numbers those of the same name', () => {
  const members = [
    { k: 'a', n: 1 },
    { k: 'b', n: 2 },
    { k: 'a', n: 3 },
  ];
  expect(keyMembers(members, ({ k }) => k)).toEqual({ a: members[0], b: members[1], 'a (2)': members[2] });
});
