import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PROBLEMS, Problem } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import type { FilledProcess, FilledService } from '../support/filled-service.ts';
import { complaintBody, reviewBody } from '../support/records.ts';
import { until } from '../support/until.ts';
import { attempt, cutPieces } from './mutations.ts';
import { LEAK } from './proper.ts';

/** A connection that stays open without an answer for this long counts as hanging. */
const HANGING_MS = 20_000;
/** An answer arrives within this time, unless the request is incomplete. */
const QUIET_MS = 60;
const AT_ONCE = 16;

const requests = (token: string): Buffer[] => {
  const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
  const send = (path: string, body: unknown, headers = '') => {
    const text = JSON.stringify(body);
    const head =
      `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ` +
      'application/json\r\n';
    return `${head}${headers}${headers.includes('chunked') ? `\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n` : `Content-Length: ${text.length}\r\n\r\n${text}`}`;
  };
  return [
    get('/api/v1/brokers?limit=5&offset=0&color=green', 'Accept-Encoding: br, gzip\r\nAccept: application/json\r\n'),
    get('/api/v1/brokers/alpha-markets', 'If-None-Match: "x"\r\n'),
    get('/api/v1/search?q=alpha%20markets'),
    get('/api/v1/reviews?broker=alpha-markets&limit=2&cursor=1763736400000.a'),
    get('/api/v1/regulators/fca', `Authorization: Bearer ${token}\r\n`),
    get('http://a/api/v1/news?limit=1', 'X-Request-Id: abcdefgh\r\n'),
    get('/api/v1/nothing') + get('/api/v1/regulators') + get('/healthz'),
    'HEAD /api/v1/news HTTP/1.1\r\nHost: a\r\n\r\n',
    'OPTIONS /api/v1/reviews HTTP/1.1\r\nHost: a\r\nOrigin: https://b\r\nAccess-Control-Request-Method: POST\r\n\r\n',
    send('/reviews', reviewBody('beta-trade'), 'Idempotency-Key: k\r\n'),
    send('/complaints', complaintBody('alpha-markets'), 'Transfer-Encoding: chunked\r\n'),
    send('/complaints', { broker: {}, amountInDispute: { amount: 1 } }, 'Expect: 100-continue\r\n'),
  ].map((text) => Buffer.from(text, 'latin1'));
};

/** Sends the pieces, waits until nothing more arrives, and closes its side. Resolves to all received bytes. */
const exchange = async (origin: string, pieces: readonly Buffer[]): Promise<Buffer> => {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (bytes: Buffer) => received.push(bytes)).on('error', () => {});
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    await new Promise(setImmediate);
  }
  await untilQuiet(socket, closed);
  socket.end();
  const hanging = pause(HANGING_MS, 'hanging' as const, { ref: false });
  if ((await Promise.race([closed, hanging])) === 'hanging') throw new Error('the connection is not closed');
  return Buffer.concat(received);
};

const untilQuiet = async (socket: Socket, closed: Promise<void>): Promise<void> => {
  for (let before = -1; before !== socket.bytesRead && !socket.destroyed; ) {
    before = socket.bytesRead;
    await Promise.race([closed, pause(QUIET_MS)]);
  }
};

interface ParsedResponse {
  readonly status: number;
  readonly headers: string;
  /** Undefined if the connection ended in the middle of the body. */
  readonly body: string | undefined;
}

/**
 * Parses the answers, one after another.
 * @throws Error for bytes that are no answer
 */
const parseResponses = (bytes: Buffer, mayBeHead: boolean): ParsedResponse[] => {
  const text = bytes.toString('latin1');
  const seen: ParsedResponse[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) break; // the connection ended within this head
    const headers = text.slice(at, end);
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\w -]+\r\n|^HTTP\/1\.1 (100) Continue$/.exec(headers)?.[1] ?? 100);
    if (!headers.startsWith('HTTP/1.1 ')) throw new Error(`not an answer: ${JSON.stringify(text.slice(at, at + 200))}`);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    const start = end + 4;
    const isBodiless =
      status < 200 || status === 304 || (mayBeHead && /^(HTTP\/1\.1 |$)/.test(text.slice(start, start + 9)));
    const stop = isBodiless ? start : start + length;
    seen.push({ status, headers, body: isBodiless ? '' : stop > text.length ? undefined : text.slice(start, stop) });
    at = stop;
  }
  return seen;
};

const fail = (why: string, { status, headers, body }: ParsedResponse): never => {
  throw new Error(`${why}: ${status}\n${headers}\n\n${body?.slice(0, 1000)}`);
};

const checkProblem = (answer: ParsedResponse): void => {
  const problem = Problem.safeParse(JSON.parse(Buffer.from(answer.body ?? '', 'latin1').toString())).data;
  if (problem === undefined || PROBLEMS[problem.code].status !== answer.status) fail('no problem document', answer);
  if (answer.status >= 500 && problem?.code !== 'unavailable') fail('a fault of the server', answer);
};

const checkAnswer = (answer: ParsedResponse): void => {
  const { status, headers, body } = answer;
  if (/^x-injected/im.test(headers)) fail('a header of the caller', answer);
  if (status >= 500 && status !== 503) fail('a fault of the server', answer);
  if (!body || /\r\ncontent-encoding:/i.test(headers)) return;
  if (LEAK.test(body)) fail('tells of the inside', answer);
  if (status < 400) return;
  if (!/\r\ncontent-type: application\/problem\+json(\r|$)/i.test(headers)) fail('no problem document', answer);
  checkProblem(answer);
};

/**
 * Waits until a valid request is served, since the service may shed load for a moment.
 * @throws Error where it keeps refusing
 */
const isServing = (service: FilledService | FilledProcess): Promise<boolean> =>
  until('a good request is served', HANGING_MS, async () => {
    const asked = fetch(`${service.baseUrl}/regulators/fca`, { signal: AbortSignal.timeout(HANGING_MS) });
    return (await asked).status === 200;
  });

/** The bounds of a run: a number of rounds of 16 attempts, and a time after which no round starts. */
export interface Extent {
  readonly seed: number;
  readonly rounds: number;
  readonly ms: number;
  /** The path that a failure has printed, from which the search for a smaller case continues. */
  readonly path?: string | undefined;
}

/**
 * Sends mutations of valid requests, each on its own connection, until `extent` is used up. Resolves to the number of
 * answers by status.
 * @throws Error with the smallest bytes that show a fault, and the seed
 */
export const fuzz = async (
  service: FilledService | FilledProcess,
  { seed, rounds, ms, path }: Extent,
): Promise<Map<number, number>> => {
  const bases = requests(service.verified);
  const statuses = new Map<number, number>();
  const tryOne = async (pieces: readonly Buffer[]): Promise<void> => {
    const received = await exchange(service.origin, pieces);
    for (const answer of parseResponses(received, Buffer.concat(pieces).includes('HEAD'))) {
      checkAnswer(answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  };
  const round = fc
    .array(attempt(bases.length), { minLength: 1, maxLength: AT_ONCE, size: 'max' })
    .map((attempts) => attempts.map((each) => cutPieces(each, bases)));
  const shown = (pieces: readonly Buffer[]) =>
    pieces.map((piece) => JSON.stringify(piece.toString('latin1'))).join('\n  + ');
  await fc.assert(
    fc.asyncProperty(round, async (all) => {
      try {
        await Promise.all(all.map(tryOne));
        await isServing(service);
      } catch (error) {
        throw new Error(`${(error as Error).message}\nafter these bytes:\n${all.map(shown).join('\n')}`);
      }
    }),
    { seed, numRuns: rounds, interruptAfterTimeLimit: ms, ...(path === undefined ? {} : { path }) },
  );
  return statuses;
};
