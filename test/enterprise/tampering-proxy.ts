/** A proxy between the service and a customer that can change what passes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns what is answered in place of the body. `ask` gets the body of another request. */
export type Tamper = (
  url: URL,
  body: string,
  ask: (target: string) => Promise<string>,
) => string | undefined | Promise<string | undefined>;

/** The proxy. */
export interface TamperingProxy {
  readonly origin: string;
  tamper: Tamper | undefined;
  readonly close: () => Promise<void>;
}

export const startTamperingProxy = async (origin: string): Promise<TamperingProxy> => {
  const proxy = { origin: '', tamper: undefined as Tamper | undefined, close: async () => {} };
  const server = createServer(async (req, res) => {
    const headers = { authorization: String(req.headers.authorization) };
    const answer = await fetch(`${origin}${req.url}`, { headers });
    const body = await answer.text();
    const ask = async (target: string) => (await fetch(`${origin}${target}`, { headers })).text();
    const changed = await proxy.tamper?.(new URL(String(req.url), origin), body, ask);
    res.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) });
    res.end(changed ?? body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};
