import type { Hooks } from './hooks.ts';

/**
 * Where to log; `console` is one, and so is a pino logger through a small wrapper.
 * @example const logger: Logger = { ...console, debug: () => {} };
 */
export interface Logger {
  /** Each answer. */
  debug(message: string, fields: object): void;
  /** Each try that failed and is followed by another. */
  warn(message: string, fields: object): void;
  /** Each call that failed for good. */
  error(message: string, fields: object): void;
}

/**
 * Hooks that log each answer (debug), retry (warn) and failure (error), without headers or bodies.
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
