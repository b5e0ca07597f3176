import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Agent, Dispatcher, request } from 'undici';
import { checkAddresses, checkUrl, OutboundError, type OutboundRules } from './rules.ts';

export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Headers for the original host only; redirects to other hosts do not get them. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
  /** Body of a POST; without it the request is a GET. Allow no redirects with it: the body would be sent again. */
  readonly body?: string;
  readonly rules: OutboundRules;
  /** Maximum size of the answer in bytes, both as sent and after decompression. */
  readonly maxBytes: number;
  /** Defaults to 3. */
  readonly maxRedirects?: number;
  /** Time limit for everything: name look-up, connections, redirects and the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FetchedDocument {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
  /** URL of the answer, after redirects. */
  readonly url: string;
}

type Resolve = typeof dns.lookup;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

/** Returns a look-up that resolves a host for a connection and returns exactly the addresses that were checked. */
export const checkedLookup =
  (rules: OutboundRules, resolve: Resolve = dns.lookup): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      try {
        checkAddresses(
          host,
          found.map(({ address }) => address),
          rules,
        );
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      const [first] = found;
      if (options.all || first === undefined) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

export const readHeader = (headers: Dispatcher.ResponseData['headers'], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** Returns the content coding of an answer; empty if it has none. */
export const readCoding = (headers: Dispatcher.ResponseData['headers']): string =>
  (readHeader(headers, 'content-encoding') ?? '').trim().toLowerCase();

export const tooLarge = (maxBytes: number): OutboundError => new OutboundError(`is larger than ${maxBytes} bytes`);

const readBody = async (body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const DECODERS: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

const decompress = async (bytes: Buffer, coding: string, maxBytes: number): Promise<Buffer> => {
  if (coding === '' || coding === 'identity' || bytes.length === 0) return bytes;
  const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (!decode) throw new OutboundError('comes in an encoding that was not asked for');
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new OutboundError(`is not the ${coding} it says it is`);
  }
};

/**
 * Returns the target of a redirect, or undefined if the answer is not one.
 * @throws OutboundError if the target is missing, or leads from https to http
 */
const findRedirect = (from: URL, { statusCode, headers }: Dispatcher.ResponseData): URL | undefined => {
  if (!REDIRECTS.has(statusCode)) return undefined;
  const to = URL.parse(readHeader(headers, 'location') ?? '', from.href);
  if (to === null || readHeader(headers, 'location') === undefined)
    throw new OutboundError(`answers ${statusCode} and does not say where to go`);
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new OutboundError('leads from https to http, where anybody on the way could change it');
  return to;
};

/** Reads an answer that is no redirect. */
export type ResponseReader<T> = (answer: Dispatcher.ResponseData, url: URL) => Promise<T>;

/** Transport of requests: a library that is loaded at the first request. */
interface FetchTransport {
  readonly dispatcher: Agent;
  readonly signal: AbortSignal;
  readonly ask: typeof request;
}

const follow = async <T>(
  start: URL,
  asked: OutboundRequest,
  { dispatcher, signal, ask }: FetchTransport,
  take: ResponseReader<T>,
): Promise<T> => {
  let url = start;
  const { maxRedirects = MAX_REDIRECTS } = asked;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    checkUrl(url, asked.rules);
    const answer = await ask(url, {
      dispatcher,
      signal,
      headers: {
        'accept-encoding': 'gzip, br',
        ...asked.headers,
        ...(url.origin === start.origin ? asked.ownHeaders : {}),
      },
      ...(asked.body === undefined ? {} : { method: 'POST', body: asked.body }),
    });
    answer.body.on('error', () => {}); // errors of a body that nobody reads
    const next = findRedirect(url, answer);
    if (next === undefined) return take(answer, url);
    answer.body.destroy();
    url = next;
  }
  throw new OutboundError(
    maxRedirects === 0
      ? 'answers by a redirect, and redirects are not followed'
      : `leads to more than ${maxRedirects} redirects`,
  );
};

const readDocument =
  ({ maxBytes }: OutboundRequest): ResponseReader<FetchedDocument> =>
  async ({ statusCode, headers, body }, url) => {
    const raw = await readBody(body, maxBytes);
    return {
      status: statusCode,
      header: (name) => readHeader(headers, name),
      body: await decompress(raw, readCoding(headers), maxBytes),
      url: url.href,
    };
  };

/**
 * Turns a failure into an error that can be shown. It contains only a code, since a message could contain text of the
 * other side.
 */
const explain = (error: unknown, { timeoutMs, signal }: OutboundRequest, timeout: AbortSignal): unknown => {
  if (signal?.aborted) return signal.reason;
  if (timeout.aborted) return new OutboundError(`takes longer than ${timeoutMs / 1000} s`);
  const { cause, code, name } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (error instanceof OutboundError) return error;
  if (cause instanceof OutboundError) return cause;
  if (name === 'HTTPParserError') return new OutboundError('breaks off, or is no HTTP'); // it may have no code
  return typeof code === 'string' ? new OutboundError(`cannot be read (${code})`) : error;
};

/**
 * Sends a request to an untrusted address and lets `take` read the answer. Each redirect is checked, by the addresses
 * that its connection then uses. Time is limited here; `take` limits the size.
 * @throws OutboundError if the request is refused or fails
 */
export const sendOutbound = async <T>(address: string, asked: OutboundRequest, take: ResponseReader<T>): Promise<T> => {
  const timeout = AbortSignal.timeout(asked.timeoutMs);
  const signal = asked.signal === undefined ? timeout : AbortSignal.any([timeout, asked.signal]);
  const undici = await import('undici');
  const dispatcher = new undici.Agent({ connect: { lookup: checkedLookup(asked.rules) }, pipelining: 0 });
  try {
    return await follow(new URL(address), asked, { dispatcher, signal, ask: undici.request }, take);
  } catch (error) {
    throw explain(error, asked, timeout);
  } finally {
    await dispatcher.destroy();
  }
};

/**
 * Fetches a document from an untrusted address, or posts to it, into memory.
 * @throws OutboundError if the request is refused or fails
 */
export const fetchDocument = (address: string, asked: OutboundRequest): Promise<FetchedDocument> =>
  sendOutbound(address, asked, readDocument(asked));
