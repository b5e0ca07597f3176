import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../platform/domain-error.ts';
import { ALONE } from '../platform/page-alone.ts';
import { createStatusPolicy } from '../status/page.ts';
import type { WebhookReceiver } from './webhook.ts';

/** The parts of a prober's server. */
export interface ListenParts {
  readonly dir: string;
  readonly metrics: () => Promise<string>;
  readonly webhooks: WebhookReceiver | undefined;
}

/** The address to listen on. */
export interface ProberListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Maximum bytes of a webhook. The service sends references only. */
const MOST_BODY = 65_536;
const TYPES: Readonly<Record<string, string>> = {
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.atom': 'application/atom+xml',
  '.svg': 'image/svg+xml',
};
/** The served paths. All other files in the folder are private. */
const SERVED = /^\/(results\/\d{4}-\d{2}-\d{2}\.ndjson|status\/[a-z0-9][a-z0-9.-]{0,60})$/;
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': `${createStatusPolicy()}; frame-ancestors 'none'`,
  ...ALONE,
};

const endResponse = (res: ServerResponse, status: number, said = ''): void => {
  res.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(said);
};

const sendFile = async (res: ServerResponse, dir: string, path: string, isHead: boolean): Promise<void> => {
  const root = await realpath(dir);
  const file = await realpath(join(root, path)).catch(() => undefined);
  const found = file?.startsWith(`${root}${sep}`) ? await stat(file).catch(() => undefined) : undefined;
  if (file === undefined || !found?.isFile()) return endResponse(res, 404, 'There is no such file.\n');
  res.writeHead(200, {
    ...HEADERS,
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Cache-Control': 'public, max-age=30',
    'Last-Modified': found.mtime.toUTCString(),
    'Access-Control-Allow-Origin': '*',
  });
  if (isHead || found.size === 0) return void res.end();
  await pipeline(createReadStream(file, { end: found.size - 1 }), res);
};

const readBounded = async (req: IncomingMessage): Promise<string | undefined> => {
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BODY) req.destroy();
  });
  return text(req).catch(() => undefined);
};

const receiveWebhook = async (req: IncomingMessage, res: ServerResponse, webhooks: WebhookReceiver): Promise<void> => {
  const body = await readBounded(req);
  if (body !== undefined) endResponse(res, webhooks.receive(body, req.headers as Record<string, string>));
};

const handleRequest = async (req: IncomingMessage, res: ServerResponse, parts: ListenParts): Promise<void> => {
  const path = (req.url ?? '').split('?', 1)[0] as string;
  if (req.method === 'POST' && path === '/webhook' && parts.webhooks) return receiveWebhook(req, res, parts.webhooks);
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return endResponse(res, 405, 'Only GET and HEAD are possible here.\n');
  if (path === '/metrics') return endResponse(res, 200, await parts.metrics());
  // links on the page are relative to its folder
  if (path === '/status') return void res.writeHead(308, { ...HEADERS, Location: 'status/' }).end();
  if (path === '/status/') return sendFile(res, parts.dir, '/status/index.html', req.method === 'HEAD');
  if (SERVED.test(path)) return sendFile(res, parts.dir, path, req.method === 'HEAD');
  endResponse(res, 404, 'This prober has /status/, /results/YYYY-MM-DD.ndjson and /metrics.\n');
};

/** Serves a prober's status page, results and metrics, and receives webhooks. */
export const listen = async (parts: ListenParts, { host, port }: ProberListenAddress) => {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 5000 }, (req, res) => {
    handleRequest(req, res, parts).catch(() => {
      if (res.headersSent) res.destroy();
      else endResponse(res, 500, 'It cannot be read now.\n');
    });
  });
  server.maxConnections = 200;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new DomainError('invalid_setting', `--listen ${host}:${port} cannot be used (${why}): give another address`);
  }
  const bound = server.address() as AddressInfo;
  return {
    address: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
    },
  };
};
