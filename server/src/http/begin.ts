import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Log } from '../observe/log.ts';
import { traceIdsOf } from '../observe/traces.ts';

/** On every answer, whatever it is. The API serves data only, so nothing in it may be run or framed. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
} as const;

/** A caller's own request id is kept where it is harmless, so that logs can be joined. */
const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,64}$/;

export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : randomUUID();
};

/** What is longer is no address of ours, and would make a line that several processes cannot write whole to one pipe. */
const MAX_PATH = 1024;

const pathOf = (target: string): string => {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
};

/** Logs a request, and how long it took. */
export const logRequest = (
  log: Log,
  { method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  { statusCode, req }: ServerResponse,
  requestId: string,
  took: number,
): void => {
  const ms = Math.round(took * 10) / 10;
  log.request({ requestId, method, path: pathOf(url), status: statusCode, ms, trace: traceIdsOf(req) });
};

/** Starts a request: its id, and the headers of every answer. */
export const begin = (req: Request, res: Response, next: NextFunction): void => {
  const requestId = requestIdOf(req);
  res.locals['requestId'] = requestId;
  res.set(SECURITY_HEADERS);
  res.set('X-Request-Id', requestId);
  next();
};
