import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Request } from './load.ts';

export interface Probe {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Sends one GET outside of the measurements and returns the bytes as received. `fetch` would request other codings. */
export const probe = (port: number, { path, headers = {} }: Request): Promise<Probe> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, path, headers, host: '127.0.0.1', agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body: Buffer.from(body) }), reject);
    });
    sent.on('error', reject).end();
  });
