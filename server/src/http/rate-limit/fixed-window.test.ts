import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFixedWindows } from './fixed-window.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Counts as the window should, without a bound on memory. */
const createModel = (windowMs: number) => {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (key: string) => {
    const now = performance.now();
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
    windows.set(key, { ...window, count: window.count + 1 });
    return { count: window.count + 1, msLeft: window.endsAt - now };
  };
};

describe('windows', () => {
  test('windows count whatever comes when, as a plain table of all keys would', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 400 })));
    fc.assert(
      fc.property(steps, (all) => {
        const [windows, model] = [createFixedWindows(1000), createModel(1000)];
        for (const [key, pause] of all) {
          vi.advanceTimersByTime(pause);
          const before = windows.counted(key);
          const place = windows.count(key);
          expect(place).toEqual(model(key));
          expect(place.count === 1 ? 0 : place.count - 1).toBe(before);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test('windows are never more than there is room for, and the last caller is still counted', () => {
    const windows = createFixedWindows(60_000, 1000);
    for (let n = 0; n < 20_000; n++) {
      windows.count('ip:steady');
      expect(windows.count(`ip:2001:db8:${n.toString(16)}:0::/64`).count).toBe(1);
      expect(windows.size()).toBeLessThanOrEqual(1000);
      expect(windows.counted(`ip:2001:db8:${n.toString(16)}:0::/64`)).toBe(1);
    }
  });

  test('windows that have ended make room when others begin', () => {
    const windows = createFixedWindows(60_000);
    for (let n = 0; n < 1000; n++) windows.count(`ip:${n}`);
    for (let turn = 0; turn < 2; turn++) {
      vi.advanceTimersByTime(60_000);
      windows.count('ip:new');
    }
    expect(windows.size()).toBeLessThanOrEqual(2);
  });
});
