import { formatCheckpoint, parseVerifierKey, signNote } from '@broker-transparency/log';
import { describe, expect, test } from 'vitest';
import { newLogKey, parseLogKey, verifyEd25519 } from '../ledger/log/keys.ts';
import { readCheckpoint, requireContinues, requireFresh, toCheckpointPath } from './checkpoint.rule.ts';

const ORIGIN = 'ratings.example/transparency/v1/log/a';
const key = parseLogKey(newLogKey(ORIGIN));
const later = parseLogKey(newLogKey(ORIGIN));
const root = new Uint8Array(32).fill(7);
const known = [parseVerifierKey(key.verifierKey)];

const text = (size = 12, origin = ORIGIN): string => formatCheckpoint({ origin, size, root, extensions: [] });
const read = (note: string) => readCheckpoint(note, known, verifyEd25519);

test('the address of a checkpoint is in the name of the key', () => {
  expect(toCheckpointPath(key)).toBe('/transparency/v1/log/a/checkpoint');
});

describe('a checkpoint', () => {
  test('counts if a known key signed it, whoever else did', async () => {
    expect((await read(signNote(text(), [key]))).size).toBe(12);
    expect((await read(signNote(text(), [later, key]))).size).toBe(12);
  });

  test.each([
    ['another key signed it', signNote(text(), [later]), 'no known key signed'],
    ['it was changed', signNote(text(), [key]).replace('\n12\n', '\n13\n'), 'the signature of the checkpoint is wrong'],
    ['it is of another log', signNote(text(12, 'other.example/log/a'), [key]), 'the checkpoint is of another log'],
    ['it is a page', '<!doctype html>', 'the checkpoint of the log has another form'],
  ])('a checkpoint is wrong if %s', async (_what, note, error) => {
    await expect(read(note)).rejects.toThrow(error);
  });
});

test.each([
  ['it grows', { size: 13, root: 'b' }, undefined],
  ['it stays', { size: 12, root: 'a' }, undefined],
  ['it shrinks', { size: 11, root: 'c' }, 'the log had 12 entries and now has 11'],
  ['it is another tree', { size: 12, root: 'b' }, 'the log has two trees of 12 entries'],
])('a log that was seen before is judged by its size and root: %s', (_what, now, error) => {
  const check = () => requireContinues(now, { size: 12, root: 'a' });
  if (error === undefined) check();
  else expect(check).toThrow(error);
  requireContinues(now, undefined);
});

test('a checkpoint covers what the record had two minutes ago', () => {
  const ends = [
    { minute: 100, end: 9 },
    { minute: 101, end: 19 },
  ];
  requireFresh({ size: 10, root: '' }, ends, 102);
  expect(() => requireFresh({ size: 10, root: '' }, ends, 103)).toThrow(
    'the checkpoint covers 10 entries; 2 minutes ago there were 20',
  );
  requireFresh({ size: 20, root: '' }, ends, 103);
  requireFresh({ size: 0, root: '' }, [], 103);
});
