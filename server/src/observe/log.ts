import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured log on standard output, one JSON object per line. Secrets never reach it: requests are logged by named fields only. */
export const createLog = (level: string): Log => pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
