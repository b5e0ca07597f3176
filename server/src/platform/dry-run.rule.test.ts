import { expect, test } from 'vitest';
import { isReading, isTakenBack } from './dry-run.rule.ts';

const inTransaction = { autocommit: false };

test.each<[string, object, boolean]>([
  ['find', {}, true],
  ['aggregate', { pipeline: [{ $match: {} }] }, true],
  ['aggregate', { pipeline: [{ $match: {} }, { $out: 'x' }] }, false],
  ['aggregate', { pipeline: [{ $merge: { into: 'x' } }] }, false],
  ['insert', {}, false],
  ['insert', inTransaction, true],
  ['update', {}, false],
  ['findAndModify', {}, false],
  ['findAndModify', inTransaction, true],
  ['abortTransaction', inTransaction, true],
  ['commitTransaction', inTransaction, false],
  ['create', {}, false],
  ['createIndexes', {}, false],
  ['dropDatabase', {}, false],
  ['a command of a later server', {}, false],
])('%s %o leaves nothing behind: %s', (name, command, expected) => {
  expect(isTakenBack(name, command as Record<string, unknown>)).toBe(expected);
});

test.each<[string, object, boolean]>([
  ['find', {}, true],
  ['find', inTransaction, true],
  ['aggregate', { pipeline: [{ $match: {} }] }, true],
  ['aggregate', { pipeline: [{ $out: 'x' }] }, false],
  ['insert', inTransaction, false],
  ['commitTransaction', inTransaction, false],
  ['abortTransaction', inTransaction, true],
  ['createIndexes', {}, false],
])('%s %o only reads: %s', (name, command, expected) => {
  expect(isReading(name, command as Record<string, unknown>)).toBe(expected);
});
