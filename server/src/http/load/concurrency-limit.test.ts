import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ConcurrencySlot, createInFlight } from './concurrency-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MOST = 2;
const start = () => {
  const inFlight = createInFlight(MOST, () => MOST);
  return { inFlight, take: inFlight.take, counts: () => [inFlight.count(), inFlight.awaited()] };
};

test('a request counts from its head, not while it waits for its body, and again once that is there', () => {
  const { take, counts } = start();
  const place = take();
  expect(counts()).toEqual([1, 0]);
  place.leave();
  expect(counts()).toEqual([0, 1]);
  vi.advanceTimersByTime(15_000);
  expect(counts(), 'however long that takes').toEqual([0, 1]);
  place.takeAgain();
  expect(counts()).toEqual([1, 0]);
  place.giveUp();
  expect(counts()).toEqual([0, 0]);
});

test.each(['at its head', 'while its body is awaited', 'after its body'])(
  'a caller who leaves %s is counted no more',
  (when) => {
    const { take, counts } = start();
    const place = take();
    if (when !== 'at its head') place.leave();
    if (when === 'after its body') place.takeAgain();
    place.giveUp();
    place.leave();
    place.takeAgain();
    expect(counts()).toEqual([0, 0]);
  },
);

test('four bodies are awaited for each request that may be in flight, and then no more', () => {
  const { inFlight, take } = start();
  const all = Array.from({ length: 4 * MOST }, () => {
    expect(inFlight.isFullOfBodies()).toBe(false);
    const place = take();
    place.leave();
    return place;
  });
  expect([inFlight.isFullOfBodies(), inFlight.isFull()]).toEqual([true, false]);
  (all[0] as ConcurrencySlot).takeAgain();
  expect(inFlight.isFullOfBodies()).toBe(false);
});
