import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Lines are written together, at the latest after this time, in writes that a pipe does not mix with another worker's (4096 bytes): a
 * write for each costs more than all else of a request that has its answer ready. What is left is written when the process ends.
 * Lines that nobody takes are kept up to 16 MB; then new ones are lost.
 */
const TOGETHER = { sync: false, minLength: 3072, periodicFlush: 250, maxLength: 2 ** 24 } as const;

/** Many lines are of the same millisecond. */
const createTimestamp = () => {
  let [last, text] = [0, ''];
  return (): string => {
    const now = Date.now();
    if (now !== last) [last, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
};

/** Structured log on standard output, one JSON object per line. Secrets never reach it: requests are logged by named fields only. */
export const createLog = (level: string, fields: object | null = null): Log =>
  pino({ level, base: fields, timestamp: createTimestamp() }, pino.destination(TOGETHER));
