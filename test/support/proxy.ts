import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PROBE_MS = 500;

/** A server behind the proxy. */
interface Backend {
  readonly origin: string;
  readonly agent: Agent;
  isReady: boolean;
}

export interface ReverseProxy {
  readonly origin: string;
  /** True if the proxy sends requests to this backend. */
  readonly has: (origin: string) => boolean;
  readonly close: () => Promise<void>;
}

/**
 * Returns true if a backend is ready. A backend that does not answer in time keeps its state, since the machine may be
 * busy.
 */
const isReady = (backend: Backend): Promise<boolean> =>
  fetch(`${backend.origin}/readyz`, { signal: AbortSignal.timeout(1000), headers: { Connection: 'close' } }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    (error: Error) => error.name === 'TimeoutError' && backend.isReady,
  );

/** Forwards a request once. Answers a failure with 502. */
const forward = (req: IncomingMessage, res: ServerResponse, { origin, agent }: Backend): void => {
  const { connection: _, ...headers } = req.headers;
  const onward = request(`${origin}${req.url}`, { method: req.method as string, headers, agent });
  const fail = (error: Error): void => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${origin}: ${error.message}`);
  };
  onward.on('error', fail);
  onward.on('response', (answer) => {
    const { connection: __, ...answered } = answer.headers;
    res.writeHead(answer.statusCode as number, answered);
    answer.on('error', fail).pipe(res);
  });
  req.pipe(onward);
};

/**
 * A reverse proxy as often used in front of services. It checks readiness twice a second, sends requests to the ready
 * backends in turn, keeps connections alive and never retries a request.
 */
export const startProxy = async (origins: readonly string[]): Promise<ReverseProxy> => {
  const backends = origins.map(
    (origin): Backend => ({ origin, agent: new Agent({ keepAlive: true }), isReady: false }),
  );
  const look = () =>
    Promise.all(backends.map(async (backend) => Object.assign(backend, { isReady: await isReady(backend) })));
  await look();
  const timer = setInterval(look, PROBE_MS);
  let turn = 0;
  const server = createServer((req, res) => {
    const ready = backends.filter((backend) => backend.isReady);
    const backend = ready[turn++ % ready.length];
    if (backend) forward(req, res, backend);
    else res.writeHead(502, { 'Content-Type': 'text/plain' }).end('no server is ready');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    has: (origin) => backends.some((backend) => backend.origin === origin && backend.isReady),
    close: async () => {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
      for (const { agent } of backends) agent.destroy();
    },
  };
};
