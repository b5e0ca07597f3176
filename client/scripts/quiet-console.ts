import { onTestFinished, vi } from 'vitest';

/**
 * Keeps the `console.error` output of a test off the screen.
 * @returns a function that returns what was written
 */
export const quietConsole = (): (() => unknown[][]) => {
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
  onTestFinished(() => {
    error.mockRestore();
  });
  return () => error.mock.calls;
};
