import { describe, expect, test } from 'vitest';
import { type BlockLine, type BlockRow, personRowId, readBlockLines, subjectRowId } from './block-record.ts';

const row = (letter: string, block: string): BlockRow => ({
  ...{ _id: `person:${letter.repeat(64)}`, block: block.repeat(12), accountId: 'account-1', reason: 'fraud' },
  at: new Date('2026-11-02T09:30:00.000Z'),
});
const lifted = (block: string): BlockLine => ({ lifted: block.repeat(12) });
const read = (...lines: BlockLine[]) => readBlockLines(lines.map((line) => JSON.stringify(line)).join('\n'));

describe('a list', () => {
  const [a, b, c] = [row('a', '1'), row('b', '1'), row('c', '2')];
  test.each<[string, BlockLine[], BlockRow[], string[]]>([
    ['of rows has them', [a, b, c], [a, b, c], []],
    ['has a row once', [a, a], [a], []],
    ['has no rows of a block that was lifted', [a, c, b, lifted('1')], [c], ['1'.repeat(12)]],
    ['has those of one that holds again', [a, lifted('1'), a], [a], []],
    [
      'lets a row belong to the block that names it last',
      [a, { ...a, block: '2'.repeat(12) }, lifted('1')],
      [{ ...a, block: '2'.repeat(12) }],
      ['1'.repeat(12)],
    ],
  ])('%s', (_, lines, rows, gone) => {
    const list = read(...lines);
    expect([...list.rows.values()]).toEqual(rows);
    expect([...list.lifted]).toEqual(gone);
    expect(list.unreadable).toEqual([]);
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, 50)],
    ['with a reason nobody knows', (text: string) => text.replace('fraud', 'because')],
    ['with more than it may know', (text: string) => text.replace('{', '{"subject":"alice",')],
    ['with a key that is no hash', (text: string) => text.replace('person:', 'alice:')],
    ['that is null', () => 'null'],
  ])('reports the number of a line %s, and reads the others', (_, spoil) => {
    const text = `${JSON.stringify(a)}\n\n${spoil(JSON.stringify(b))}\n${JSON.stringify(c)}\n`;
    const list = readBlockLines(text);
    expect([...list.rows.values()]).toEqual([a, c]);
    expect(list.unreadable).toEqual([3]);
  });
});

test('identifies a subject by a hash that does not reveal it', async () => {
  expect(await subjectRowId('alice@example.org')).toBe(await subjectRowId('alice@example.org'));
  expect(await subjectRowId('alice@example.org')).not.toBe(await subjectRowId('alice@example.com'));
  expect(await subjectRowId('alice')).toMatch(/^subject:[0-9a-f]{64}$/);
  expect(personRowId('a'.repeat(64))).toBe(`person:${'a'.repeat(64)}`);
});
