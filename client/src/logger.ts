import type { Hooks } from './hooks.ts';

/**
 * A destination for log lines. `console` is one, and a pino logger is one with a small wrapper.
 * @example const logger: Logger = { ...console, debug: () => {} };
 */
export interface Logger {
  /** Called for each answer. */
  debug(message: string, fields: object): void;
  /** Called for each failed try that is followed by another. */
  warn(message: string, fields: object): void;
  /** Called for each call that has finally failed. */
  error(message: string, fields: object): void;
}

/**
 * Returns hooks that log each answer (debug), retry (warn) and failure (error), without headers or bodies.
 * @example createClient({ baseUrl, hooks: logTo(console) });
 */
export const logTo = (logger: Logger): Hooks => ({
  response: ({ call, request: { method, url }, attempt, response: { status } }) =>
    logger.debug(`${call} was answered ${status}`, { method, url, attempt, status }),
  retry: ({ call, request: { method, url }, attempt, delayMs, error }) =>
    logger.warn(`${call} is tried again in ${Math.round(delayMs)} ms`, { method, url, attempt, error: String(error) }),
  error: ({ call, request: { method, url }, attempt, error }) =>
    logger.error(`${call} failed`, { method, url, attempt, error: String(error) }),
});
