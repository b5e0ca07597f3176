/**
 * Sends as many reads as the service answers. It writes raw bytes on kept connections, because an HTTP client would be
 * slower than the service.
 */
import { Connection } from '../bench/wire.ts';

export interface Flood {
  readonly good: number;
  /** Answers with status 503. */
  readonly refused: number;
  /** Answers with any other status. */
  readonly wrong: number;
  readonly worstMs: number;
}

const CONNECTIONS = 24;

const encode = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);

/** Sends `count` requests. `next` gives the target of each. */
export const flood = async (port: number, count: number, next: () => string): Promise<Flood> => {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {}); // it may reject before it is awaited
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => Connection.open(port, index, lost.reject)),
  );
  const tally = { good: 0, refused: 0, wrong: 0, worstMs: 0 };
  let sent = 0;
  const run = async (connection: Connection): Promise<void> => {
    while (sent++ < count) {
      const at = performance.now();
      const { status } = await new Promise<{ status: number }>((resolve) => connection.send(encode(next()), resolve));
      tally.worstMs = Math.max(tally.worstMs, performance.now() - at);
      if (status === 200) tally.good++;
      else if (status === 503) tally.refused++;
      else tally.wrong++;
    }
  };
  try {
    await Promise.race([Promise.all(connections.map(run)), lost.promise]);
    return tally;
  } finally {
    for (const connection of connections) connection.close();
  }
};
