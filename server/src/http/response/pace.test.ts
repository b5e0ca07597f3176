import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

const CHUNK = Buffer.alloc(1000);

/** Pipes so many chunks to somebody who asks for each as soon as they have the one before. Returns the milliseconds. */
const timeOf = async (pace: (stream: Readable) => void, chunks: number): Promise<number> => {
  const stream = Readable.from(Array.from({ length: chunks }, () => CHUNK));
  let bytes = 0;
  const taker = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      setImmediate(done);
    },
  });
  const begun = performance.now();
  pace(stream);
  await pipeline(stream, taker);
  expect(bytes).toBe(chunks * CHUNK.length);
  return performance.now() - begun;
};

test('streams keep to a pace together, and each arrives whole', async () => {
  const pace = createPace(100_000);
  const each = await Promise.all([timeOf(pace, 10), timeOf(pace, 10)]);
  expect(Math.max(...each)).toBeGreaterThan(120); // 20 000 bytes at 100 a millisecond, less what may be ahead
});

test('a stream that is not ahead of its pace is left alone', async () => {
  expect(await timeOf(createPace(1e9), 100)).toBeLessThan(1000);
});
