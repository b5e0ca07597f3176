import { onTestFinished, vi } from 'vitest';

/** Keeps what a test writes by `console.error` off the screen. @returns what was written */
export const quietConsole = (): (() => unknown[][]) => {
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
  onTestFinished(() => {
    error.mockRestore();
  });
  return () => error.mock.calls;
};
