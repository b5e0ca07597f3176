import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileReplica } from './file-store.ts';
import type { ReplicaBatch, ReplicaEntry, ReplicaPosition } from './replica-store.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-store-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const entry = (number: number, key: string, text: string | null): ReplicaEntry => {
  const value = text === null ? null : { text };
  return { number, key, kind: 'news', line: JSON.stringify({ number, key, kind: 'news', value }), isGone: !value };
};

const at = (size: number, signed = 0): ReplicaPosition => ({
  tree: { size, hashes: [] },
  signed: { size: signed, hashes: [], checkpoint: '', consistency: [] },
  witnessed: null,
  ahead: null,
  textsThrough: null,
});

const BATCHES: readonly ReplicaBatch[] = [
  { isReset: false, entries: [entry(0, 'a', 'one'), entry(1, 'b', 'é')], texts: [], position: at(2) },
  {
    isReset: false,
    entries: [entry(2, 'a', null), { ...entry(3, 'c', 'long'), value: '{"long":true}' }],
    texts: [{ key: 'c', texts: { title: { salt: 'c2FsdA==', text: 'first words' } } }],
    position: at(4, 2),
  },
  {
    isReset: false,
    backTo: 3,
    entries: [entry(3, 'd', 'x')],
    texts: [{ key: 'c', texts: null }],
    position: at(4, 4),
  },
];

const readState = async (folder: string) => {
  const store = fileReplica(folder);
  const position = await store.load();
  const lines: string[] = [];
  for await (const { line, value = '' } of store.entries()) lines.push(line + value);
  await store.close();
  return { size: position?.tree.size, signed: position?.signed?.size, lines };
};

test('a crash at any moment leaves the files as they were before a batch or after it', async () => {
  const folder = join(root, 'whole');
  const states = [await readState(folder)];
  const store = fileReplica(folder);
  const ends = [0];
  for (const batch of BATCHES) {
    await store.apply(batch);
    ends.push((await readFile(join(folder, 'entries.ndjson'))).length);
    await mkdir(join(root, 'seen'), { recursive: true });
    await cp(folder, join(root, 'seen'), { recursive: true });
    states.push(await readState(join(root, 'seen')));
  }
  await store.close();
  expect(states.map(({ size }) => size)).toEqual([undefined, 2, 4, 4]);
  expect(states.at(-1)?.lines).toEqual(['b', 'd'].map((key) => expect.stringContaining(`"key":"${key}"`)));
  const bytes = await readFile(join(folder, 'entries.ndjson'));
  const cut = join(root, 'cut');
  for (let length = 0; length <= bytes.length; length += 7) {
    await rm(cut, { recursive: true, force: true });
    await cp(folder, cut, { recursive: true });
    await truncate(join(cut, 'entries.ndjson'), length);
    const complete = ends.findLastIndex((end) => end <= length);
    expect(await readState(cut), `cut at ${length}`).toEqual(states[complete]);
  }
});

test('goes on after a crash, also where lines before the end of a batch were lost', async () => {
  const folder = join(root, 'lost');
  const store = fileReplica(folder);
  for (const batch of BATCHES.slice(0, 2)) await store.apply(batch);
  await store.close();
  const path = join(folder, 'entries.ndjson');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('{"number":3', '{"number":4'));
  expect((await readState(folder)).size).toBe(2);
  const again = fileReplica(folder);
  await again.apply(BATCHES[1] as ReplicaBatch);
  await again.close();
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('says that it is damaged where no crash can have done it', async () => {
  const folder = join(root, 'damaged');
  const store = fileReplica(folder);
  for (const batch of BATCHES) await store.apply(batch);
  await store.close();
  const path = join(folder, 'entries.ndjson');
  const text = await readFile(path, 'utf8');
  for (const other of [text.replace('one', 'two'), text.replace('{"number":1', '"number":1')]) {
    await writeFile(path, other);
    await expect(fileReplica(folder).load()).rejects.toThrow('entries.ndjson is damaged after byte 0');
    expect(await readFile(path, 'utf8')).toBe(other);
  }
});

test('deletes a text from every file, and reads past a torn line', async () => {
  const folder = join(root, 'texts');
  const path = join(folder, 'texts.ndjson');
  const store = fileReplica(folder);
  for (const batch of BATCHES.slice(0, 2)) await store.apply(batch);
  expect(await readFile(path, 'utf8')).toContain('first words');
  await store.close();
  await writeFile(path, `${await readFile(path, 'utf8')}{"key":"z","texts":{"title":{"salt":"","te`);
  const again = fileReplica(folder);
  expect(await again.textKeys()).toEqual(['c']);
  await again.apply(BATCHES[2] as ReplicaBatch);
  expect(await again.textKeys()).toEqual([]);
  expect(await readFile(path, 'utf8')).toMatch(/^ +\n$/);
  await again.apply({ isReset: true, entries: [], texts: [], position: null });
  expect([await again.load(), (await readFile(path)).length]).toEqual([undefined, 0]);
  await again.close();
});

test('keeps only what is needed', async () => {
  const folder = join(root, 'small');
  const store = fileReplica(folder);
  const text = 'x'.repeat(2 ** 18);
  for (let number = 0; number < 80; number++)
    await store.apply({
      isReset: false,
      entries: [entry(number, `key/${number % 2}`, text)],
      texts: [],
      position: at(number + 1, number),
    });
  await store.close();
  expect((await readFile(join(folder, 'entries.ndjson'))).length).toBeLessThan(70 * 2 ** 18);
  const { size, lines } = await readState(folder);
  expect([size, lines.map((line) => JSON.parse(line).number)]).toEqual([80, [78, 79]]);
});

test('keeps only the entries that are needed of many, and removes a half-written copy of texts', async () => {
  const folder = join(root, 'many');
  const store = fileReplica(folder);
  const text = 'x'.repeat(2 ** 12);
  for (let number = 0; number < 7700; number += 1100)
    await store.apply({
      isReset: false,
      entries: Array.from({ length: 1100 }, (_, index) => entry(number + index, `key/${index}`, text)),
      texts: [],
      position: at(number + 1100, number + 1100),
    });
  await store.close();
  expect((await readFile(join(folder, 'entries.ndjson'))).length).toBeLessThan(4000 * 2 ** 12);
  await writeFile(join(folder, 'texts.ndjson.new'), 'a text that was deleted later');
  const { size, lines } = await readState(folder);
  expect([size, lines.length, Math.min(...lines.map((line) => JSON.parse(line).number))]).toEqual([7700, 1100, 6600]);
  await expect(readFile(join(folder, 'texts.ndjson.new'))).rejects.toThrow('ENOENT');
});
