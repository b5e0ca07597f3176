import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import ipaddr from 'ipaddr.js';
import { createAuthProblem } from '../auth/access.ts';
import { send } from '../response/reply.ts';
import { readOnly } from './read-only.ts';

/** Readers of the metrics: holders of the token, everybody who reaches the port, this machine alone, or nobody. */
export type MetricsReaders = { readonly token: string } | 'any' | 'local' | 'none';

interface MetricsSettings {
  readonly metricsToken: string | undefined;
  readonly internalPort: number | undefined;
  readonly trustProxy: number | readonly string[];
  readonly publicUrl: string | undefined;
}

/**
 * Returns the readers of the metrics. Behind a proxy on the same machine every caller is local: metrics then need a
 * token or their own port.
 */
export const resolveMetricsReaders = ({
  metricsToken,
  internalPort,
  trustProxy,
  publicUrl,
}: MetricsSettings): MetricsReaders => {
  if (metricsToken !== undefined) return { token: metricsToken };
  if (internalPort !== undefined) return 'any';
  return trustProxy === 0 && publicUrl === undefined ? 'local' : 'none';
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Headers by which a proxy on this machine marks a forwarded request. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

type MetricsRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

const isLocal = ({ socket, headers }: MetricsRequest): boolean =>
  ipaddr.process(socket.remoteAddress ?? '0.0.0.0').range() === 'loopback' &&
  FORWARDED.every((name) => headers[name] === undefined);

export const mayRead = (req: MetricsRequest, readers: MetricsReaders): boolean => {
  if (typeof readers === 'object')
    return timingSafeEqual(digest(req.headers.authorization ?? ''), digest(`Bearer ${readers.token}`));
  return readers === 'any' || (readers === 'local' && isLocal(req));
};

const explainRefusal = (readers: MetricsReaders): string => {
  if (typeof readers === 'object') return 'Send "Authorization: Bearer <token>" with the token of METRICS_TOKEN.';
  return readers === 'local'
    ? 'Without METRICS_TOKEN metrics are told to this machine only.'
    : 'Behind a proxy metrics need METRICS_TOKEN, or a port of their own: INTERNAL_PORT.';
};

/** Serves the metrics in Prometheus's text format. They have no budget: monitoring reads them every few seconds. */
export const metricsRoute = (read: () => Promise<string>, readers: MetricsReaders): Router =>
  readOnly({
    '/metrics': async (req, res) => {
      const code = req.headers.authorization === undefined ? 'authentication_required' : 'invalid_token';
      if (!mayRead(req, readers)) throw createAuthProblem(code, explainRefusal(readers));
      const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
      send(res, { status: 200, headers, body: await read() });
    },
  });
