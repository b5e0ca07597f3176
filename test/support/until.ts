/** Time in milliseconds between two looks at a condition. `calm`: what is waited for may be there only for a moment. */
const LOOK_MS = { least: 20, calm: 100, most: 250 };

/** Returns how long to wait before the next look, in milliseconds. @param took how long the last look took */
const pauseAfter = (waited: number, took: number): number => {
  const calm = Math.min(waited / 10, Math.max(LOOK_MS.calm, 5 * took));
  return Math.min(Math.max(LOOK_MS.least, calm, 2 * took), LOOK_MS.most);
};

/**
 * Polls a condition every 20 ms, then less often the longer it takes: what is waited for needs the processor, too.
 * @throws Error with `what` after `timeoutMs`
 */
export const until = async <T>(
  what: string,
  timeoutMs: number,
  condition: () => Promise<T | undefined | false>,
): Promise<T> => {
  const start = performance.now();
  const end = Date.now() + timeoutMs;
  for (;;) {
    const began = performance.now();
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    const now = performance.now();
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(now - start, now - began)));
  }
};
