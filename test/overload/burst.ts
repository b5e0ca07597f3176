/** Simultaneous requests: cached and uncached reads, and writes, half on kept connections and half on new ones. */

import type { Service } from '../support/process.ts';
import { RawConnection } from '../support/raw-http.ts';
import { reviewBody } from '../support/records.ts';

export const TOGETHER = 100;
const TIMEOUT_MS = 60_000;

export interface Burst {
  readonly byStatus: Readonly<Record<number, number>>;
  /** Number of requests refused for overload. */
  readonly refused: number;
  readonly worstMs: number;
}

const get = (path: string): string => `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (slug: string, token: string): string => {
  const body = JSON.stringify(reviewBody(slug));
  const head =
    `Host: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ` +
    `${Buffer.byteLength(body)}`;
  return `POST /api/v1/reviews HTTP/1.1\r\n${head}\r\n\r\n${body}`;
};

/** Sends bursts to a service with brokers `broker-0`, `broker-1` and so on. Each burst reviews ten of them. */
export const createBursts = async (service: Service, token: string) => {
  const kept = await Promise.all(Array.from({ length: TOGETHER / 2 }, () => RawConnection.open(service.origin)));
  let [posted, read] = [0, 0];
  const buildRequest = (n: number): string => {
    if (n % 10 === 0) return post(`broker-${posted++}`, token);
    return get(n % 10 < 3 ? '/regulators' : `/brokers?limit=100&offset=${read++}`);
  };
  const ask = async (n: number) => {
    const isKept = n % 2 === 1;
    const line = isKept ? (kept[(n - 1) / 2] as RawConnection) : await RawConnection.open(service.origin);
    line.send(buildRequest(n));
    const answer = await line.answer({ timeoutMs: TIMEOUT_MS });
    if (!isKept) line.destroy();
    return answer;
  };
  return {
    send: async (): Promise<Burst> => {
      const start = performance.now();
      let worstMs = 0;
      const answers = await Promise.all(
        Array.from({ length: TOGETHER }, async (_, n) => {
          const answer = await ask(n);
          worstMs = Math.max(worstMs, performance.now() - start);
          return answer;
        }),
      );
      const byStatus: Record<number, number> = {};
      for (const answer of answers) byStatus[answer?.status ?? 0] = (byStatus[answer?.status ?? 0] ?? 0) + 1;
      const refused = answers.filter((answer) => answer?.body.includes('more to do than it can')).length;
      return { byStatus, refused, worstMs: Math.round(worstMs) };
    },
    end: (): void => {
      for (const line of kept) line.destroy();
    },
  };
};
