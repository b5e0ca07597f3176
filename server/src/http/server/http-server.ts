import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProblemCode } from '@broker-transparency/contract';
import type { CountRequest } from '../../platform/observe/requests.ts';
import { answerLive, LIVE_PATH } from '../endpoints/health.ts';
import { lingerBriefly } from '../load/linger.ts';
import type { Overload } from '../load/overload.ts';
import { type RequestRefusal, sendRefusal, toRefusalResponse } from '../problem/refuse.ts';
import { withContext } from '../request/context.ts';
import { readTarget } from '../request/target.ts';
import { sendOnSocket } from '../response/reply.ts';
import { type AddressSettings, closeAll, listenAll, SOCKETS } from './sockets.ts';

/** Limits in milliseconds and bytes. Node's defaults let a slow caller hold a connection for minutes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  keepAlive: true, // TCP checks whether a silent caller is still there
  keepAliveInitialDelay: 15_000,
  requireHostHeader: false, // its 400 would be no problem document; `hasOneHost` checks this
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

const describeProblem = (code: ProblemCode): string =>
  DETAILS[code] ?? 'The bytes received are not a valid HTTP/1.1 request.';

/** Answers on a connection whose bytes never became a request. */
const refuseConnection = (
  socket: Duplex,
  code: ProblemCode,
  baseUrl: string,
  headers: Record<string, string> = {},
): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = { code, detail: describeProblem(code), baseUrl, headers: { Connection: 'close', ...headers } };
  sendOnSocket(socket, toRefusalResponse(randomUUID(), refusal));
};

/** RFC 9112 §3.2: exactly one Host; HTTP/1.0 may leave it out. */
const hasOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  return count === 1 || (count === 0 && httpVersion === '1.0');
};

/** Maximum lengths, in characters, of headers that take long to parse. No caller needs more. */
const HEADER_BOUNDS = { accept: 1024, 'accept-encoding': 1024, 'if-none-match': 4096 } as const;

/** Returns a message about a header that is too long; undefined if none is. */
const findLongHeader = ({ headers }: IncomingMessage): string | undefined => {
  for (const name in HEADER_BOUNDS) {
    const bound = HEADER_BOUNDS[name as keyof typeof HEADER_BOUNDS];
    if ((headers[name]?.length ?? 0) > bound) return `The header ${name} has more than ${bound} characters.`;
  }
};

/** A refusal before the app sees the request. Without a detail it gets the default one of its code. */
type EarlyRefusal = Omit<RequestRefusal, 'baseUrl' | 'detail'> & Partial<Pick<RequestRefusal, 'detail'>>;

/**
 * The HTTP server around the app. It bounds slow and large requests and their number, answers with problems what Node
 * would refuse without a body, and reports that the service starts until the app is ready.
 */
export const createHttpServer = (
  overload: Overload,
  countRequest: CountRequest,
  { sockets = SOCKETS, patienceMs }: { readonly sockets?: number; readonly patienceMs?: number | undefined } = {},
) => {
  let app: RequestListener | undefined;
  let baseUrl = '';
  let isLeaving = false;
  const refuseAndClose = (
    req: IncomingMessage,
    res: ServerResponse,
    { code, path, detail = describeProblem(code), headers }: EarlyRefusal,
  ): void => {
    const shown = { path: path?.split('?', 1)[0], headers: { Connection: 'close', ...headers } };
    sendRefusal(req, res, { code, detail, baseUrl, ...shown }, countRequest);
  };
  /** Returns whether a request is admitted now. A connection beyond the bound gets one answer, and only for health. */
  const isLetIn = ({ socket, url = '', context }: IncomingMessage): boolean => {
    const isBeyond = overload.connections.isBeyond(socket);
    if (isBeyond || isLeaving) context.headers['Connection'] = 'close';
    return (overload.admits() && !isBeyond) || overload.isAlwaysAnswered(url);
  };
  const handle: RequestListener = (req, res) => {
    overload.connections.asked(req.socket, res);
    const path = readTarget(req.url ?? '', overload.isAlwaysAnswered);
    if (path === undefined || !hasOneHost(req)) {
      refuseAndClose(req, res, { code: 'bad_request', path });
      return;
    }
    const detail = findLongHeader(req);
    if (detail !== undefined) {
      refuseAndClose(req, res, { code: 'headers_too_large', path, detail });
      return;
    }
    req.url = req.context.target = path;
    if (!isLetIn(req)) overload.refuse(req, res, baseUrl);
    else if (app) app(req, res);
    else if (path === LIVE_PATH && overload.isAlwaysAnswered(path)) answerLive(res);
    else refuseAndClose(req, res, { code: 'unavailable', path, headers: { 'Retry-After': '1' } });
  };
  const create = (): Server => {
    const server = createServer(LIMITS, withContext(handle, patienceMs));
    server.on('connection', overload.connections.opened);
    server.on('connection', lingerBriefly);
    const refuseExpectation: RequestListener = (req, res) =>
      refuseAndClose(req, res, { code: 'expectation_failed', path: readTarget(req.url ?? '', () => false) });
    server.on('checkExpectation', withContext(refuseExpectation));
    server.on('connect', (_req, socket: Duplex) =>
      refuseConnection(socket, 'method_not_allowed', baseUrl, { Allow: 'GET, HEAD, POST, OPTIONS' }),
    );
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else refuseConnection(socket, PARSER_FAULTS[error.code ?? ''] ?? 'bad_request', baseUrl);
    });
    return server;
  };
  const servers = Array.from({ length: sockets }, create);
  return {
    /** Answers requests of another HTTP server, whose connections are then unbounded. */
    listener: withContext(handle, patienceMs),
    /** Starts to listen. Returns the port. @throws Error with one clear line if the address is not available */
    listen: (port: number, host: string, settings?: AddressSettings): Promise<number> =>
      listenAll(servers, { port, host, settings }),
    /** Sets the public address of the server, which problems use for links. */
    reachedAt: (publicUrl: string): void => {
      baseUrl = publicUrl;
    },
    /** Starts serving. Until then the server is alive, and answers everything else by 503. */
    serve: (listener: RequestListener): void => {
      app = listener;
    },
    /** Ends each connection with its next answer from now on, so that callers move on. */
    leave: (): void => {
      isLeaving = true;
    },
    /**
     * Stops accepting connections and ends the open ones: idle ones at once, the others at the latest after
     * `patienceMs`.
     */
    close: (patienceMs: number): Promise<unknown> => closeAll(servers, patienceMs),
  };
};
