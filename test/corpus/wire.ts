import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@broker-transparency/contract';
import { type RawAnswer, RawConnection } from '../support/raw-http.ts';
import type { Page } from './page.ts';
import { steadyPage } from './steady.ts';

interface WellFormed {
  readonly method?: string;
  readonly target: string;
  /** Lines of the head. `Host` and `Content-Length` are added where they are not among them. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Address that it comes from; otherwise one that sent nothing before, whose budget is whole. */
  readonly from?: string;
}

/** A request, or the bytes of what is none. */
export type Request = WellFormed | { readonly bytes: string };

/** Sends a request, keeps its page under a kind, and returns the answer. */
export type Ask = (kind: string, request: Request) => Promise<RawAnswer>;

/** What the server is told to be, so that no port stands in its answers. */
export const HOST = 'ratings.example';

/** A server that is late says 503 and means later: what it will say then is wanted. */
const LATE = { status: 503, attempts: 40, ms: 250 } as const;

/** Longer than the server waits for a request. */
const PATIENT_MS = 30_000;

/** The request as bytes. */
const bytesOf = (request: Request): Buffer => {
  if ('bytes' in request) return Buffer.from(request.bytes, 'latin1');
  const { method = 'GET', target, headers = [], body } = request;
  const has = (name: RegExp): boolean => headers.some((line) => name.test(line));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(has(/^host:/i) ? [] : [`Host: ${HOST}`]),
    ...headers,
    ...(body === undefined || has(/^(content-length|transfer-encoding):/i)
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')]);
};

/** Addresses on loopback, each given once. */
const addresses = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return `127.${1 + Math.floor(count / 62_500)}.${Math.floor(count / 250) % 250}.${(count % 250) + 1}`;
  };
};

/** What stands in a corpus for a connection that is closed without an answer. */
const CLOSED: RawAnswer = { status: 0, headers: new Map(), body: '', bytes: Buffer.alloc(0), ms: 0 };

const exchange = async (origin: string, request: Request, from: string): Promise<RawAnswer> => {
  const connection = await RawConnection.open(origin, from);
  try {
    connection.send(bytesOf(request));
    const bodiless = 'method' in request && request.method === 'HEAD';
    return (await connection.answer({ bodiless, timeoutMs: PATIENT_MS })) ?? CLOSED;
  } finally {
    connection.destroy();
  }
};

/** Long texts tell as much by their start and their length. */
const shorten = (text: string): string =>
  text.length <= 600 ? text : `${text.slice(0, 600)}… (${text.length} characters)`;

/** What a page says of its request. */
const askedOf = (request: Request): Pick<Page, 'method' | 'target' | 'sent' | 'content'> => {
  if ('bytes' in request) return { method: 'BYTES', target: shorten(request.bytes), sent: [] };
  const { method = 'GET', target, headers: sent = [], body } = request;
  const content = body === undefined ? {} : { content: shorten(body) };
  return { method, target: shorten(target), sent: sent.map(shorten), ...content };
};

const pageOf = (kind: string, request: Request, { status, headers, bytes }: RawAnswer): Page =>
  steadyPage({ kind, ...askedOf(request), status, headers: Object.fromEntries(headers), bytes });

/** Counts the requests of each credential: beyond its budget an answer would depend on how fast the machine is. */
const createBudgets = (): ((request: Request) => void) => {
  const counts = new Map<string, number>();
  return (request) => {
    const credential =
      'headers' in request && request.headers?.find((line) => line.startsWith('Authorization: Bearer btr'));
    if (!credential) return;
    const count = (counts.get(credential) ?? 0) + 1;
    if (count > LIMITS.public.requests)
      throw new Error(`${credential} asks for more than its budget: name others, too`);
    counts.set(credential, count);
  };
};

/** Asks a server. Pages have the order in which they were asked for, whichever is answered first. */
export const createAsk = (origin: string, pages: Page[]): Ask => {
  const [nextAddress, spend] = [addresses(), createBudgets()];
  return async (kind, request) => {
    const place = pages.length++;
    for (let attempt = 1; ; attempt++) {
      if (kind !== 'budgets') spend(request);
      const answer = await exchange(origin, request, ('from' in request && request.from) || nextAddress());
      if (answer.status !== LATE.status || attempt === LATE.attempts) {
        pages[place] = pageOf(kind, request, answer);
        return answer;
      }
      await sleep(LATE.ms);
    }
  };
};
