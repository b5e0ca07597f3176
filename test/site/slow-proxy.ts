import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { forwardRequest } from '../support/forward.ts';

/** Bytes of a packet. */
const PIECE = 1400;
/** Milliseconds between two pieces: longer than a browser takes to draw one. */
const PAUSE_MS = 25;

const sendSlowly = async (answer: IncomingMessage, res: ServerResponse): Promise<void> => {
  const page = await buffer(answer);
  for (let at = 0; at < page.length; at += PIECE) {
    res.write(page.subarray(at, at + PIECE));
    await sleep(PAUSE_MS);
  }
  res.end();
};

/** Starts a proxy whose pages arrive piece by piece, as on a slow line. Other files arrive at once. */
export const startSlowProxy = async (origin: string) => {
  const server = createServer((req, res) =>
    forwardRequest(req, res, origin, {
      headers: { ...req.headers, host: new URL(origin).host, 'accept-encoding': 'identity' },
      sendBody: (answer) =>
        answer.headers['content-type']?.startsWith('text/html')
          ? sendSlowly(answer, res).catch(() => res.destroy())
          : answer.pipe(res),
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
};
