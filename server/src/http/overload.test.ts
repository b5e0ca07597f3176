import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../observe/log.ts';
import { createOverload, isAlwaysAnswered, type Overload } from './overload.ts';

const HELD_MS = 2000;

let overload: Overload;
let create: () => Overload;

beforeEach(() => {
  vi.useFakeTimers();
  create = () =>
    createOverload(
      { maxInFlight: 2, maxConnections: 10, connectionsPerAddress: Number.POSITIVE_INFINITY },
      createLog('silent'),
    );
  overload = create();
});
afterEach(() => {
  overload.stop();
  vi.useRealTimers();
});

test('health is always answered, whatever stands behind it', () => {
  for (const target of ['/healthz', '/readyz', '/metrics', '/readyz?verbose=1'])
    expect(isAlwaysAnswered(target), target).toBe(true);
  for (const target of ['/', '/api/v1/brokers', '/healthz/', '/x?/healthz'])
    expect(isAlwaysAnswered(target), target).toBe(false);
});

test('there is room again once a request is answered, however often that is said', () => {
  const { inFlight } = overload;
  const [first, second] = [inFlight.begin(), inFlight.begin()];
  expect(inFlight.isFull()).toBe(true);
  first();
  first();
  expect([inFlight.isFull(), inFlight.count()]).toEqual([false, 1]);
  second();
  expect(inFlight.count()).toBe(0);
});

test('who reads an answer slowly holds room for two seconds at most', () => {
  const end = overload.inFlight.begin();
  vi.advanceTimersByTime(HELD_MS - 1);
  expect(overload.inFlight.count()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(overload.inFlight.count()).toBe(0);
  end();
  expect(overload.inFlight.count()).toBe(0);
});

test('a late event loop lets in a share, evenly, and all again after it', () => {
  const admitted = (): number => Array.from({ length: 64 }, () => overload.admits()).filter(Boolean).length;
  expect(admitted()).toBe(64);
  overload.stop();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const looks = (count: number, lateMs: number) => {
    for (let n = 0; n < count; n++) {
      now += 50 + lateMs;
      vi.advanceTimersByTime(50);
    }
  };
  overload = create();
  looks(5, 300);
  expect([overload.state().share, admitted()]).toEqual([1 / 8, 8]);
  looks(40, 0);
  expect(admitted()).toBe(64);
  looks(5, 300);
  overload.begin();
  expect(admitted()).toBe(64);
  clock.mockRestore();
});

test('a connection beyond the bound is marked, and ends after a second; one far beyond ends at once', async () => {
  const sockets = Array.from({ length: 12 }, () => new PassThrough() as unknown as Socket);
  for (const socket of sockets) overload.connections.opened(socket);
  const { isBeyond, open } = overload.connections;
  expect([open(), sockets.filter(isBeyond)]).toEqual([12, sockets.slice(10)]);
  sockets[0]?.destroy();
  vi.advanceTimersByTime(1000);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, ...Array(9).fill(false), true, true]);
  await vi.advanceTimersByTimeAsync(0);
  const many = Array.from({ length: 70 }, () => new PassThrough() as unknown as Socket);
  for (const socket of many) overload.connections.opened(socket);
  expect(many.filter(({ destroyed }) => destroyed)).toHaveLength(5);
});
