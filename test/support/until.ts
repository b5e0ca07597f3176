/** Time in milliseconds between two looks at a condition. `calm`: what is waited for may be there only for a moment. */
const LOOK_MS = { least: 20, calm: 100, most: 250 };

/** Returns the milliseconds to wait before the next check. @param took milliseconds of the last check */
const pauseAfter = (waited: number, took: number): number => {
  const calm = Math.min(waited / 10, Math.max(LOOK_MS.calm, 5 * took));
  return Math.min(Math.max(LOOK_MS.least, calm, 2 * took), LOOK_MS.most);
};

/** Least time in milliseconds to wait for a condition: a machine that does much else makes everything slow. */
const LEAST_PATIENCE_MS = 60_000;

/**
 * Polls a condition every 20 ms, then less often the longer it takes, since the awaited work needs the processor, too.
 * @param usualMs maximum milliseconds on a machine with little other work
 * @throws Error with `what` after `usualMs`, or a minute if that is longer
 */
export const until = async <T>(
  what: string,
  usualMs: number,
  condition: () => Promise<T | undefined | false>,
): Promise<T> => {
  const start = performance.now();
  const patienceMs = Math.max(usualMs, LEAST_PATIENCE_MS);
  const end = Date.now() + patienceMs;
  for (;;) {
    const began = performance.now();
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${patienceMs} ms: ${what}`);
    const now = performance.now();
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(now - start, now - began)));
  }
};
