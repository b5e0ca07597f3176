import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAbandoned } from '../../platform/waiting.ts';
import { ProblemError } from '../problem/problem.ts';
import { timeLeft, withDeadline, withTimeout } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request whose handler does nothing by itself. */
const begin = () => {
  const res = Object.assign(new EventEmitter(), { headersSent: false }) as unknown as Response;
  const next = vi.fn();
  const abandoned: (() => boolean)[] = [];
  const req = { context: { start: performance.now() } } as Request;
  withDeadline(() => void abandoned.push(AsyncResource.bind(isAbandoned)))(req, res, next);
  return { req, res, next, isAbandoned: abandoned[0] as () => boolean };
};

test('a request that is not answered in 1.5 s is refused once, and what it began is abandoned', () => {
  const { next, isAbandoned } = begin();
  vi.advanceTimersByTime(1499);
  expect([next.mock.calls.length, isAbandoned()]).toEqual([0, false]);
  vi.advanceTimersByTime(1);
  expect(next).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'unavailable' }));
  expect(isAbandoned()).toBe(true);
});

test('the time that the caller needs for a body does not count; all the rest does', () => {
  const { req, next } = begin();
  vi.advanceTimersByTime(1000);
  req.context.deadline?.pause();
  vi.advanceTimersByTime(10_000);
  req.context.deadline?.resume();
  vi.advanceTimersByTime(499);
  expect(next).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(next).toHaveBeenCalledOnce();
});

test.each([
  ['has been answered', (res: Response) => Object.assign(res, { headersSent: true })],
  ['is gone', (res: Response) => res.emit('close')],
])('a request that %s is not refused', (_, end) => {
  const { res, next } = begin();
  end(res);
  vi.advanceTimersByTime(5000);
  expect(next).not.toHaveBeenCalled();
});

test('work that is not done within its time is refused and abandoned', async () => {
  const start = performance.now();
  vi.advanceTimersByTime(1000);
  expect(timeLeft({ start })).toBe(500);
  let isLeft = (): boolean => false;
  const late = withTimeout(500, () => {
    isLeft = AsyncResource.bind(isAbandoned);
    return new Promise(() => {});
  });
  vi.advanceTimersByTime(499);
  expect(isLeft()).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(late).rejects.toThrow(ProblemError);
  expect(isLeft()).toBe(true);
  expect(await withTimeout(500, async () => 7)).toBe(7);
});
