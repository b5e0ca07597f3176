import type { ServerResponse } from 'node:http';
import { Router } from 'express';
import { refusalOf } from '../problem/refuse.ts';

/** Where liveness is asked for. */
export const LIVE_PATH = '/healthz';

/** Liveness needs nothing but the process: it is answered while the service starts, too. */
export const answerLive = (res: ServerResponse): void => {
  const body = '{"status":"ok"}';
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(body);
};

/** Liveness: the process answers. Readiness: it can do its work; false while it starts and once it drains. */
export const healthRoutes = (isReady: () => Promise<boolean>, baseUrl: string): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(LIVE_PATH, (_req, res) => answerLive(res));
  router.get('/readyz', async (req, res) => {
    if (await isReady()) {
      res.json({ status: 'ready' });
      return;
    }
    const detail = 'The process starts or ends, or its database does not answer.';
    const { status, headers, body } = refusalOf({
      ...{ code: 'unavailable', detail, id: req.context.id, baseUrl, path: '/readyz' },
      headers: { 'Retry-After': '1' },
    });
    res.writeHead(status, headers).end(body);
  });
  return router;
};
