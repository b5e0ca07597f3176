import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Log } from '../observe/log.ts';

/** On every answer, whatever it is. The API serves data only, so nothing in it may be run or framed. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
} as const;

/** A caller's own request id is kept where it is harmless, so that logs can be joined. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Starts a request: its id, the headers of every answer, and a log line when it ends. */
export const begin =
  (log: Log) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const given = req.get('X-Request-Id');
    const requestId = given !== undefined && ACCEPTED_ID.test(given) ? given : randomUUID();
    res.locals['requestId'] = requestId;
    res.set(HEADERS);
    res.set('X-Request-Id', requestId);
    const start = process.hrtime.bigint();
    res.once('close', () => {
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      const path = req.originalUrl.split('?', 1)[0];
      log.info(
        { requestId, method: req.method, path, status: res.statusCode, ms: Math.round(ms * 10) / 10 },
        'request',
      );
    });
    next();
  };
