import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writePart } from './file-part.ts';

const CONTENT = randomBytes(300_000);
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-part-'));
  path = join(folder, 'file');
  await writeFile(path, CONTENT);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Takes each chunk some turns after it has come, as a socket does. */
const createReceiver = (onChunk: (receiver: Writable) => void = () => {}) => {
  const taken: Buffer[] = [];
  const memory = new Set<ArrayBufferLike>();
  const receiver: Writable = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      memory.add(chunk.buffer);
      void nextTurn().then(() => {
        taken.push(Buffer.from(chunk));
        onChunk(receiver);
        done();
      });
    },
  });
  return { receiver, memory, bytes: () => Buffer.concat(taken) };
};

const atOnce = async (): Promise<void> => {};

test.each([
  ['a whole file', 0, CONTENT.length - 1],
  ['a part', 70_000, 199_999],
  ['one byte', 5, 5],
])('writes %s, all through one buffer', async (_what, start, end) => {
  const { receiver, memory, bytes } = createReceiver();
  await writePart({ path, start, end }, receiver, atOnce);
  expect(receiver.writableEnded).toBe(true);
  expect(bytes().equals(CONTENT.subarray(start, end + 1))).toBe(true);
  expect(memory.size).toBe(1);
});

test('counts every byte against its pace', async () => {
  let paced = 0;
  const count = async (bytes: number) => {
    paced += bytes;
  };
  await writePart({ path, start: 0, end: CONTENT.length - 1 }, createReceiver().receiver, count);
  expect(paced).toBe(CONTENT.length);
});

test('ends when the receiver closes', async () => {
  const { receiver, bytes } = createReceiver((one) => one.destroy());
  await writePart({ path, start: 0, end: CONTENT.length - 1 }, receiver, atOnce);
  expect(bytes().length).toBeLessThan(CONTENT.length / 2);
});

test('writes nothing of an empty file, and rejects for one that was cut off or is missing', async () => {
  const empty = join(folder, 'empty');
  await writeFile(empty, '');
  const { receiver, bytes } = createReceiver();
  await writePart({ path: empty, start: 0, end: 0 }, receiver, atOnce);
  expect([receiver.writableEnded, bytes().length]).toEqual([true, 0]);

  const short = join(folder, 'short');
  await writeFile(short, CONTENT);
  await truncate(short, 100_000);
  const part = { path: short, start: 0, end: CONTENT.length - 1 };
  await expect(writePart(part, createReceiver().receiver, atOnce)).rejects.toThrow('shorter than it was');
  const missing = { path: join(folder, 'missing'), start: 0, end: 1 };
  await expect(writePart(missing, createReceiver().receiver, atOnce)).rejects.toThrow('ENOENT');
});
