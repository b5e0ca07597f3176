import { createHash, timingSafeEqual } from 'node:crypto';
import { type Request, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { refuse } from './access.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A proxy on this machine says by these that it asks for another. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

const isFromHere = ({ socket, headers }: Request): boolean =>
  ipaddr.process(socket.remoteAddress ?? '0.0.0.0').range() === 'loopback' &&
  FORWARDED.every((name) => headers[name] === undefined);

/** Who may read the metrics: whoever has the token; where there is none, this machine. */
const mayRead = (req: Request, token: string | undefined): boolean => {
  if (token === undefined) return isFromHere(req);
  return timingSafeEqual(digest(req.headers.authorization ?? ''), digest(`Bearer ${token}`));
};

/** The metrics in Prometheus's text format, without a budget: they are asked for every few seconds. */
export const metricsRoute = (read: () => Promise<string>, token: string | undefined): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (req, res) => {
    if (!mayRead(req, token))
      throw refuse(
        req.headers.authorization === undefined ? 'authentication_required' : 'invalid_token',
        token === undefined
          ? 'Without METRICS_TOKEN metrics are told to this machine only.'
          : 'Send "Authorization: Bearer <token>" with the token of METRICS_TOKEN.',
      );
    res.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8').end(await read());
  });
  return router;
};
