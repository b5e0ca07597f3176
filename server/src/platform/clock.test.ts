import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('clocks of one process run apart, each on from its own time', () => {
  const [real, ahead, fixed] = [createClock(), createClock(3_600_000), createClock(new Date('2026-12-01T00:00:00Z'))];
  const now = Date.now();
  expect(real().getTime() - now).toBeLessThan(1000);
  expect(ahead().getTime() - now).toBeGreaterThanOrEqual(3_600_000);
  expect(fixed().getTime() - Date.parse('2026-12-01T00:00:00Z')).toBeLessThan(1000);
});
