import type { ServerResponse } from 'node:http';
import type { Router } from 'express';
import { toRefusalResponse } from '../problem/refuse.ts';
import { type RawResponse, send } from '../response/reply.ts';
import { readOnly } from './read-only.ts';

/** Path of the liveness probe. */
export const LIVE_PATH = '/healthz';

const ALIVE: RawResponse = {
  status: 200,
  headers: {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body: '{"status":"ok"}',
};

const READY: RawResponse = {
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: '{"status":"ready"}',
};

/** Liveness needs only the process, so it is also answered during startup. */
export const answerLive = (res: ServerResponse): void => send(res, ALIVE);

/** Liveness: the process answers. Readiness: it can work. A process is not ready during startup and while it drains. */
export const healthRoutes = (isReady: () => Promise<boolean>, baseUrl: string): Router => {
  const notReady = {
    code: 'unavailable',
    detail: 'The process starts or ends, or its database does not answer.',
    baseUrl,
    path: '/readyz',
    headers: { 'Retry-After': '1' },
  } as const;
  return readOnly({
    [LIVE_PATH]: (_req, res) => answerLive(res),
    '/readyz': async (req, res) => send(res, (await isReady()) ? READY : toRefusalResponse(req.context.id, notReady)),
  });
};
