import { expect } from 'vitest';

/** The CPU time of some work in milliseconds. Other programs on the machine do not count. */
const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Less is too short to be compared. */
const FLOOR_MS = 20;

/**
 * Expects that work on eight times the input takes about eight times as long. If it grew with the square, it would take
 * 64 times as long.
 */
export const expectLinear = (work: (size: number) => void, size: number): void => {
  const small = () => cpuMs(() => work(size / 8));
  small(); // compiles it
  const least = Math.max(FLOOR_MS, Math.min(small(), small()));
  const whole = cpuMs(() => work(size));
  expect(whole / least, `${whole} ms for the whole, ${least} ms for an eighth`).toBeLessThan(32);
};
