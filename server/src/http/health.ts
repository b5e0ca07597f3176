import { Router } from 'express';

/** Liveness: the process answers. Readiness: it can do its work; false while it starts and once it drains. */
export const healthRoutes = (isReady: () => Promise<boolean>): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const ready = await isReady();
    if (!ready) res.set('Retry-After', '1');
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unavailable' });
  });
  return router;
};
