import { expect, test } from 'vitest';
import { createPace, type Pace } from './pace.ts';

const CHUNK = 1000;

/** Sends chunks at a pace. Returns how long each took, in milliseconds. */
const measureTimes = async (pace: Pace, chunks: number): Promise<number[]> => {
  const times: number[] = [];
  for (let sent = 0; sent < chunks; sent++) {
    const begun = performance.now();
    await pace(CHUNK);
    times.push(performance.now() - begun);
  }
  return times;
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

test('senders keep to a pace together', async () => {
  const pace = createPace(100_000);
  const each = await Promise.all([measureTimes(pace, 10), measureTimes(pace, 10)]);
  expect(Math.max(...each.map(sum))).toBeGreaterThan(150); // 20 000 bytes take 200 ms, 20 of which can be caught up
});

test('each chunk waits for its own time, so that none comes in a burst', async () => {
  const times = await measureTimes(createPace(20_000), 6); // 50 ms each
  expect(times.filter((time) => time > 10).length).toBeGreaterThanOrEqual(5); // the first may catch up
});

test('a sender that is not ahead of its pace is left alone', async () => {
  expect(sum(await measureTimes(createPace(1e9), 100))).toBeLessThan(1000);
});
