import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrokerDetail } from '@broker-transparency/contract';
import { openApiDocument } from '@broker-transparency/contract/openapi';

const { examples } = openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).components;
const broker = examples['BrokerDetail']?.value as BrokerDetail;

const problem = {
  type: 'about:blank',
  title: 'There is no such broker',
  status: 404,
  detail: 'No broker "nobody".',
  instance: '/api/v1/brokers/nobody',
  code: 'broker_not_found',
  requestId: '1',
};

export interface CannedService {
  readonly origin: string;
  readonly baseUrl: string;
  /** Serves a page with this script at `/`. */
  readonly setPage: (script: string) => void;
  readonly close: () => Promise<void>;
}

/** A minimal API on a free port of loopback, since these checks are about the packages and not the server. */
export const startService = async (): Promise<CannedService> => {
  let page = '';
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const json = (status: number, type: string, body: unknown) =>
      response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(body));
    request.resume();
    if (path === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    else if (path.endsWith('/nobody')) json(404, 'application/problem+json', problem);
    else if (path.endsWith('/alpha')) response.writeHead(308, { Location: '/api/v1/brokers/alpha-markets' }).end();
    else if (request.method === 'POST') json(201, 'application/json', { brokerSlug: broker.slug, status: 'pending' });
    else if (/\/(alpha-markets|fca)$/.test(path)) json(200, 'application/json', broker);
    else
      json(200, 'application/json', {
        data: [broker],
        pagination: { limit: 20, offset: 0, total: 1, nextCursor: null },
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/api/v1`,
    setPage: (script) => {
      page = `<!doctype html><title>Consumer</title><body><script type="module">${script}</script>`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
