import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured log on standard output, one JSON object per line. Secrets never reach it: requests are logged by named fields only. */
export const createLog = (level: string, fields: object | null = null): Log =>
  pino({ level, base: fields, timestamp: pino.stdTimeFunctions.isoTime });
