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
import { ProblemError, problemBody } from './problems.ts';

/** Node's defaults let a slow caller hold a connection for minutes. Milliseconds, bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
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

const bodyFor = (code: ProblemCode, id: string, baseUrl: string, path = ''): string =>
  JSON.stringify(
    problemBody(new ProblemError(code, DETAILS[code] ?? 'The bytes received are not a valid HTTP/1.1 request.'), {
      path,
      id,
      baseUrl,
    }),
  );

/** Answers on a connection whose request never became one that Express could see. */
const refuseConnection = (socket: Duplex, code: ProblemCode, baseUrl: string, headers = ''): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const body = bodyFor(code, id, baseUrl);
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

/** The HTTP server around the app, which comes once it is ready: limits on slow and large requests, and problem documents for what Node refuses itself. */
export const createHttpServer = () => {
  let app: RequestListener | undefined;
  let baseUrl = '';
  const refuse = (res: ServerResponse, code: ProblemCode, headers: Record<string, string> = {}): void => {
    const id = randomUUID();
    const body = bodyFor(code, id, baseUrl, pathOf(res.req.url ?? '')?.split('?', 1)[0]);
    res.writeHead(PROBLEMS[code].status, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': id,
      'Cache-Control': 'no-store',
      Connection: 'close',
      ...headers,
    });
    res.end(body);
  };
  const server = createServer(LIMITS, (req, res) => {
    const path = pathOf(req.url ?? '');
    if (path === undefined || !hasOneHost(req)) refuse(res, 'bad_request');
    else if (app) app(Object.assign(req, { url: path }), res);
    else if (path === LIVE_PATH) answerLive(res);
    else refuse(res, 'unavailable', { 'Retry-After': '1' });
  });
  server.on('checkExpectation', (_req, res: ServerResponse) => refuse(res, 'expectation_failed'));
  server.on('connect', (_req, socket: Duplex) =>
    refuseConnection(socket, 'method_not_allowed', baseUrl, 'Allow: GET, HEAD, POST, OPTIONS\r\n'),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, PARSER_FAULTS[error.code ?? ''] ?? 'bad_request', baseUrl);
  });
  return {
    server,
    /** Says where callers reach the server, once that is known: problems name their pages by it. */
    reachedAt: (publicUrl: string): void => {
      baseUrl = publicUrl;
    },
    /** Takes the server into service: until then it is alive, and answers everything else by 503. */
    serve: (listener: RequestListener): void => {
      app = listener;
    },
  };
};

/** Starts to listen. @throws Error with one clear line where the address cannot be had */
export const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `port ${port} on ${host} is taken: stop what uses it or set PORT`,
        EACCES: `port ${port} needs privileges that this process lacks: set PORT`,
        EADDRNOTAVAIL: `${host} is not an address of this machine: set HOST`,
        ENOTFOUND: `${host} is not an address of this machine: set HOST`,
      };
      reject(new Error(reasons[error.code ?? ''] ?? error.message, { cause: error }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
