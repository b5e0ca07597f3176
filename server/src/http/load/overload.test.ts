import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createRequestCount } from '../../platform/observe/requests.ts';
import { createOverload, type Overload } from './overload.ts';

const countRequest = createRequestCount(createMetrics());

const HELD_MS = 2000;

let overload: Overload;
let create: (maxInFlight?: number) => Overload;

beforeEach(() => {
  vi.useFakeTimers();
  create = (maxInFlight = 2) =>
    createOverload(
      { maxInFlight, maxConnections: 10, shares: [], isProxy: () => false },
      createLog('silent'),
      countRequest,
    );
  overload = create();
});
afterEach(() => {
  overload.stop();
  vi.useRealTimers();
});

test('health is always answered, whatever stands behind it', () => {
  const { isAlwaysAnswered } = overload;
  for (const target of ['/healthz', '/readyz', '/metrics', '/readyz?verbose=1'])
    expect(isAlwaysAnswered(target), target).toBe(true);
  for (const target of ['/', '/api/v1/brokers', '/healthz/', '/x?/healthz'])
    expect(isAlwaysAnswered(target), target).toBe(false);
});

test('requests for health have no privilege on the public port if they have a port of their own', () => {
  const { isAlwaysAnswered, stop } = createOverload(
    { maxInFlight: 1, maxConnections: 1, shares: [], isProxy: () => false },
    createLog('silent'),
    countRequest,
    new Set(),
  );
  stop();
  for (const target of ['/healthz', '/readyz', '/metrics']) expect(isAlwaysAnswered(target), target).toBe(false);
});

test('an answered request gives its room back once, however often that is said', () => {
  const { inFlight } = overload;
  const [first, second] = [inFlight.take(), inFlight.take()];
  expect(inFlight.isFull()).toBe(true);
  first.giveUp();
  first.giveUp();
  expect([inFlight.isFull(), inFlight.count()]).toEqual([false, 1]);
  second.giveUp();
  expect(inFlight.count()).toBe(0);
});

test('a caller who reads an answer slowly holds room for two seconds at most', () => {
  const place = overload.inFlight.take();
  vi.advanceTimersByTime(HELD_MS - 1);
  expect(overload.inFlight.count()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(overload.inFlight.count()).toBe(0);
  place.giveUp();
  expect(overload.inFlight.count()).toBe(0);
});

test('an event loop that is late for more than a burst lowers the concurrency limit, and a calm one raises it again', () => {
  overload.stop();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const looks = (count: number, lateMs: number) => {
    for (let n = 0; n < count; n++) {
      now += 50 + lateMs;
      vi.advanceTimersByTime(50);
    }
  };
  overload = create(200);
  const { inFlight } = overload;
  for (let n = 0; n < 100; n++) inFlight.take();
  for (let n = 0; n < 200; n++) overload.admits();
  looks(2, 300);
  expect([overload.state().limit, inFlight.isFull()]).toEqual([200, false]);
  overload.admits();
  looks(1, 300);
  expect([overload.state().limit, inFlight.isFull()]).toEqual([100, true]);
  looks(20, 0);
  expect([overload.state().limit, inFlight.isFull()]).toEqual([200, false]);
  for (let n = 0; n < 201; n++) overload.admits();
  looks(5, 300);
  overload.begin();
  expect(overload.state().limit).toBe(200);
  clock.mockRestore();
});

test('tells which share of the last second was let in', () => {
  const context = { id: 'id', start: 0, method: 'GET', target: '/', headers: {} };
  const req = { context, headers: {} } as IncomingMessage;
  const res = { req, writeHead: () => {}, end: () => {} } as unknown as ServerResponse;
  const ask = (count: number, refused: number): number => {
    for (let n = 0; n < count; n++) overload.admits();
    for (let n = 0; n < refused; n++) overload.refuse(req, res, '');
    vi.advanceTimersByTime(1000);
    return overload.state().share;
  };
  expect([ask(4, 0), ask(8, 6), ask(0, 0), ask(2, 2)]).toEqual([1, 1 / 4, 1, 0]);
});
