import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@broker-transparency/contract';
import { type RawAnswer, RawConnection } from '../support/raw-http.ts';
import type { Page } from './page.ts';
import { normalisePage } from './steady.ts';

interface ValidRequest {
  readonly method?: string;
  readonly target: string;
  /** Header lines. `Host` and `Content-Length` are added if missing. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Address that the request comes from. By default a new one with a full budget. */
  readonly from?: string;
}

/** A request, or bytes that are no valid request. */
export type CorpusRequest = ValidRequest | { readonly bytes: string };

/** Sends a request, records its page under a kind, and returns the answer. */
export type Ask = (kind: string, request: CorpusRequest) => Promise<RawAnswer>;

/** The server's public host, so that no port appears in its answers. */
export const HOST = 'ratings.example';

/** Retries while an overloaded server answers 503, since the corpus needs the later answer. */
const LATE = { status: 503, attempts: 40, ms: 250 } as const;

/** Longer than the server waits for a request. */
const PATIENT_MS = 30_000;

/** The request as bytes. */
const encodeRequest = (request: CorpusRequest): Buffer => {
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

/** Returns a function that gives each loopback address once. */
const createAddresses = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return `127.${1 + Math.floor(count / 62_500)}.${Math.floor(count / 250) % 250}.${(count % 250) + 1}`;
  };
};

/** Recorded for a connection that closes without an answer. */
const CLOSED: RawAnswer = { status: 0, headers: new Map(), body: '', bytes: Buffer.alloc(0), ms: 0 };

const exchange = async (origin: string, request: CorpusRequest, from: string): Promise<RawAnswer> => {
  const connection = await RawConnection.open(origin, from);
  try {
    connection.send(encodeRequest(request));
    const bodiless = 'method' in request && request.method === 'HEAD';
    return (await connection.answer({ bodiless, timeoutMs: PATIENT_MS })) ?? CLOSED;
  } finally {
    connection.destroy();
  }
};

/** Shortens long texts to their start and length. */
const shorten = (text: string): string =>
  text.length <= 600 ? text : `${text.slice(0, 600)}… (${text.length} characters)`;

/** Returns a request as a page records it. */
const describeRequest = (request: CorpusRequest): Pick<Page, 'method' | 'target' | 'sent' | 'content'> => {
  if ('bytes' in request) return { method: 'BYTES', target: shorten(request.bytes), sent: [] };
  const { method = 'GET', target, headers: sent = [], body } = request;
  const content = body === undefined ? {} : { content: shorten(body) };
  return { method, target: shorten(target), sent: sent.map(shorten), ...content };
};

const toPage = (kind: string, request: CorpusRequest, { status, headers, bytes }: RawAnswer): Page =>
  normalisePage({ kind, ...describeRequest(request), status, headers: Object.fromEntries(headers), bytes });

/** Counts the requests of each credential. Beyond its budget, answers would depend on the speed of the machine. */
const createBudgets = (): ((request: CorpusRequest) => void) => {
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

/**
 * Returns a function that sends requests to a server. Pages keep the order of the requests, whichever answer comes
 * first.
 */
export const createAsk = (origin: string, pages: Page[]): Ask => {
  const [nextAddress, spend] = [createAddresses(), createBudgets()];
  return async (kind, request) => {
    const place = pages.length++;
    for (let attempt = 1; ; attempt++) {
      if (kind !== 'budgets') spend(request);
      const answer = await exchange(origin, request, ('from' in request && request.from) || nextAddress());
      if (answer.status !== LATE.status || attempt === LATE.attempts) {
        pages[place] = toPage(kind, request, answer);
        return answer;
      }
      await sleep(LATE.ms);
    }
  };
};
