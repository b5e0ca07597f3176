import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInFlight, leavePlace, takePlaceAgain } from './concurrency-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MOST = 2;
const start = () => {
  const inFlight = createInFlight(MOST, () => MOST);
  const hold = (): ServerResponse => {
    const res = new EventEmitter() as ServerResponse;
    inFlight.hold(res);
    return res;
  };
  return { inFlight, hold, counts: () => [inFlight.count(), inFlight.awaited()] };
};

test('a request counts from its head, not while it waits for its body, and again once that is there', () => {
  const { hold, counts } = start();
  const res = hold();
  expect(counts()).toEqual([1, 0]);
  leavePlace(res);
  expect(counts()).toEqual([0, 1]);
  vi.advanceTimersByTime(15_000);
  expect(counts(), 'however long that takes').toEqual([0, 1]);
  takePlaceAgain(res);
  expect(counts()).toEqual([1, 0]);
  res.emit('close');
  expect(counts()).toEqual([0, 0]);
});

test.each(['at its head', 'while its body is awaited', 'after its body'])(
  'a caller who leaves %s is counted no more',
  (when) => {
    const { hold, counts } = start();
    const res = hold();
    if (when !== 'at its head') leavePlace(res);
    if (when === 'after its body') takePlaceAgain(res);
    res.emit('close');
    leavePlace(res);
    takePlaceAgain(res);
    expect(counts()).toEqual([0, 0]);
  },
);

test('four bodies are awaited for each request that may be in flight, and then no more', () => {
  const { inFlight, hold } = start();
  const all = Array.from({ length: 4 * MOST }, () => {
    expect(inFlight.isFullOfBodies()).toBe(false);
    const res = hold();
    leavePlace(res);
    return res;
  });
  expect([inFlight.isFullOfBodies(), inFlight.isFull()]).toEqual([true, false]);
  takePlaceAgain(all[0] as ServerResponse);
  expect(inFlight.isFullOfBodies()).toBe(false);
});
