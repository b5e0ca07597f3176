import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { answerLive, LIVE_PATH } from './health.ts';
import { lingerBriefly } from './linger.ts';
import type { Overload } from './overload.ts';
import { ProblemError, problemBody } from './problems.ts';
import { refuse } from './refuse.ts';
import { type AddressSettings, closeAll, listenAll, SOCKETS } from './sockets.ts';

/** Node's defaults let a slow caller hold a connection for minutes. Milliseconds, bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  keepAlive: true, // TCP asks a caller that says nothing whether it is still there
  keepAliveInitialDelay: 15_000,
  requireHostHeader: false, // its 400 would not be a problem document; `hasOneHost` is the check
} as const;

const PARSER_FAULTS: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const DETAILS: Partial<Record<ProblemCode, string>> = {
  headers_too_large: 'Request line and headers have more than 16 kB.',
  request_timeout: 'The request did not arrive in time.',
  method_not_allowed: 'This is not a proxy.',
  expectation_failed: 'The Expect header asks for something else than 100-continue.',
  unavailable: 'The service is starting.',
};

const detailOf = (code: ProblemCode): string => DETAILS[code] ?? 'The bytes received are not a valid HTTP/1.1 request.';

/** Answers on a connection whose request never became one that Express could see. */
const refuseConnection = (socket: Duplex, code: ProblemCode, baseUrl: string, headers = ''): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const body = JSON.stringify(problemBody(new ProblemError(code, detailOf(code)), { path: '', id, baseUrl }));
  const { status } = PROBLEMS[code];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nCache-Control: no-store\r\n` +
      `X-Content-Type-Options: nosniff\r\n${headers}Connection: close\r\n\r\n${body}`,
  );
};

/** RFC 9112 §3.2: exactly one Host. */
const hasOneHost = (req: IncomingMessage): boolean =>
  req.httpVersion === '1.0' ||
  req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length === 1;

/** RFC 9112 §3.2: a path, or an address whose path is meant. Undefined for what is neither: Express would answer it by HTML. */
const pathOf = (target: string): string | undefined => {
  if (target.startsWith('/') || target === '*') return target;
  const path = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  return path === undefined || path.startsWith('/') ? path : `/${path}`;
};

/**
 * The HTTP server around the app, which comes once it is ready: limits on slow and large requests and on how much is taken on, and
 * problem documents for what Node refuses itself.
 */
export const createHttpServer = (overload: Overload, sockets = SOCKETS) => {
  let app: RequestListener | undefined;
  let baseUrl = '';
  const refuseAndClose = (res: ServerResponse, code: ProblemCode, headers: Record<string, string> = {}): void => {
    const path = pathOf(res.req.url ?? '')?.split('?', 1)[0] ?? '';
    refuse(res, code, detailOf(code), { baseUrl, path, headers: { Connection: 'close', ...headers } });
  };
  /** Whether a request is let in now. A connection beyond the bound goes after one answer, and only health has one. */
  const isLetIn = ({ socket, url = '' }: IncomingMessage, res: ServerResponse): boolean => {
    const isBeyond = overload.connections.isBeyond(socket);
    if (isBeyond) res.setHeader('Connection', 'close');
    return (overload.admits() && !isBeyond) || overload.isAlwaysAnswered(url);
  };
  const handle: RequestListener = (req, res) => {
    overload.connections.asked(req.socket, res);
    const path = pathOf(req.url ?? '');
    if (path === undefined || !hasOneHost(req)) {
      refuseAndClose(res, 'bad_request');
      return;
    }
    req.url = path;
    if (!isLetIn(req, res)) overload.refuse(res, baseUrl);
    else if (app) app(req, res);
    else if (path === LIVE_PATH && overload.isAlwaysAnswered(path)) answerLive(res);
    else refuseAndClose(res, 'unavailable', { 'Retry-After': '1' });
  };
  const create = (): Server => {
    const server = createServer(LIMITS, handle);
    server.on('connection', overload.connections.opened);
    server.on('connection', lingerBriefly);
    server.on('checkExpectation', (_req, res: ServerResponse) => refuseAndClose(res, 'expectation_failed'));
    server.on('connect', (_req, socket: Duplex) =>
      refuseConnection(socket, 'method_not_allowed', baseUrl, 'Allow: GET, HEAD, POST, OPTIONS\r\n'),
    );
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else refuseConnection(socket, PARSER_FAULTS[error.code ?? ''] ?? 'bad_request', baseUrl);
    });
    return server;
  };
  const servers = Array.from({ length: sockets }, create);
  return {
    /** Starts to listen. Returns the port. @throws Error with one clear line where the address cannot be had */
    listen: (port: number, host: string, settings?: AddressSettings): Promise<number> =>
      listenAll(servers, { port, host, settings }),
    /** Says where callers reach the server, once that is known: problems name their pages by it. */
    reachedAt: (publicUrl: string): void => {
      baseUrl = publicUrl;
    },
    /** Takes the server into service: until then it is alive, and answers everything else by 503. */
    serve: (listener: RequestListener): void => {
      app = listener;
    },
    /** From now on a connection ends with its next answer, so that callers move on. */
    leave: (): void => {
      for (const server of servers)
        server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
    },
    /** Takes no more connections, and ends those there are: at once where nothing is in flight, at the latest after `patienceMs`. */
    close: (patienceMs: number): Promise<unknown> => closeAll(servers, patienceMs),
  };
};
