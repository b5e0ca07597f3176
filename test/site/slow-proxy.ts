import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes of a packet. */
const PIECE = 1400;
/** Milliseconds between two pieces: longer than a browser takes to draw one. */
const PAUSE_MS = 25;

/** Starts a proxy whose pages arrive piece by piece, as on a slow line. Other files arrive at once. */
export const startSlowProxy = async (origin: string) => {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: new URL(origin).host, 'accept-encoding': 'identity' };
    const onward = request(`${origin}${asked.url}`, { method: asked.method, headers }, async (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      if (!given.headers['content-type']?.startsWith('text/html')) return given.pipe(answer);
      const page = Buffer.from(await text(given));
      for (let at = 0; at < page.length; at += PIECE) {
        answer.write(page.subarray(at, at + PIECE));
        await sleep(PAUSE_MS);
      }
      answer.end();
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
};
