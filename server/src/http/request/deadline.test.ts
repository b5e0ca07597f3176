import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAbandoned } from '../../platform/waiting.ts';
import { ProblemError } from '../problem/problem.ts';
import { inTime, pauseDeadline, resumeDeadline, withDeadline } from './deadline.ts';

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
  withDeadline(() => void abandoned.push(AsyncResource.bind(isAbandoned)))({} as Request, res, next);
  return { res, next, isAbandoned: abandoned[0] as () => boolean };
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
  const { res, next } = begin();
  vi.advanceTimersByTime(1000);
  pauseDeadline(res);
  vi.advanceTimersByTime(10_000);
  resumeDeadline(res);
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

test('work in time counts from when the request came', async () => {
  const start = performance.now();
  vi.advanceTimersByTime(1000);
  const late = inTime(new Promise(() => {}), start);
  vi.advanceTimersByTime(500);
  await expect(late).rejects.toThrow(ProblemError);
  expect(await inTime(Promise.resolve(7), performance.now())).toBe(7);
});
