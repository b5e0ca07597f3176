import { describe, expect, test } from 'vitest';
import { type BlockLine, type BlockRow, personRowId, readBlockLines, subjectRowId } from './block-record.ts';

const row = (letter: string, block: string): BlockRow => ({
  _id: `person:${letter.repeat(64)}`,
  block: block.repeat(12),
  accountId: 'account-1',
  reason: 'fraud',
  at: new Date('2026-11-02T09:30:00.000Z'),
});
const lifted = (block: string): BlockLine => ({ lifted: block.repeat(12) });
const read = (...lines: BlockLine[]) => readBlockLines(lines.map((line) => JSON.stringify(line)).join('\n'));

describe('a list', () => {
  const [a, b, c] = [row('a', '1'), row('b', '1'), row('c', '2')];
  test.each<[string, BlockLine[], BlockRow[], string[]]>([
    ['contains its rows', [a, b, c], [a, b, c], []],
    ['contains a repeated row once', [a, a], [a], []],
    ['contains no rows of a lifted block', [a, c, b, lifted('1')], [c], ['1'.repeat(12)]],
    ['contains the rows of a block that was renewed', [a, lifted('1'), a], [a], []],
    [
      'assigns a row to the last block that names it',
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
    ['with an unknown reason', (text: string) => text.replace('fraud', 'because')],
    ['with an unknown field', (text: string) => text.replace('{', '{"subject":"alice",')],
    ['with a key that is not a hash', (text: string) => text.replace('person:', 'alice:')],
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
