/** A proxy between the service and a customer that can change what passes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type TamperedBody = string | Buffer | undefined;

/** Returns what is answered in place of the body. `ask` gets the body of another request. */
export type Tamper = (
  url: URL,
  body: Buffer,
  ask: (target: string) => Promise<Buffer>,
) => TamperedBody | Promise<TamperedBody>;

/** The proxy. */
export interface TamperingProxy {
  readonly origin: string;
  tamper: Tamper | undefined;
  /** After so many bytes of the next answer the connection breaks. */
  cutOnce: number | undefined;
  /** Ranges that `Range` asked for. */
  readonly ranges: string[];
  readonly close: () => Promise<void>;
}

const PASSED = ['authorization', 'range', 'if-range'];

export const startTamperingProxy = async (origin: string): Promise<TamperingProxy> => {
  const proxy: TamperingProxy = {
    origin: '',
    tamper: undefined,
    cutOnce: undefined,
    ranges: [],
    close: async () => {},
  };
  const server = createServer(async (req, res) => {
    const headers = Object.fromEntries(
      PASSED.flatMap((name) => (req.headers[name] ? [[name, String(req.headers[name])]] : [])),
    );
    if (req.headers.range) proxy.ranges.push(req.headers.range);
    const ask = async (target: string) =>
      Buffer.from(await (await fetch(`${origin}${target}`, { headers })).arrayBuffer());
    const answer = await fetch(`${origin}${req.url}`, { headers });
    const body = Buffer.from(await answer.arrayBuffer());
    const changed = await Promise.resolve(proxy.tamper?.(new URL(String(req.url), origin), body, ask)).catch(
      (error: Error) => error,
    );
    if (changed instanceof Error) {
      res.writeHead(418).end(`the test itself has failed: ${changed.message}`);
      return;
    }
    const sent = Buffer.from(changed ?? body);
    const etag = answer.headers.get('etag');
    res.writeHead(answer.status, {
      'content-type': String(answer.headers.get('content-type')),
      'content-length': sent.length,
      ...(etag && { etag }),
    });
    const { cutOnce } = proxy;
    proxy.cutOnce = undefined;
    if (cutOnce === undefined) res.end(sent);
    else res.write(sent.subarray(0, cutOnce), () => res.destroy());
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
