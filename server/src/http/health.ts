import type { ServerResponse } from 'node:http';
import { Router } from 'express';

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
export const healthRoutes = (isReady: () => Promise<boolean>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(LIVE_PATH, (_req, res) => answerLive(res));
  router.get('/readyz', async (_req, res) => {
    const ready = await isReady();
    if (!ready) res.set('Retry-After', '1');
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unavailable' });
  });
  return router;
};
