import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { SeenRequest } from './run.ts';

/** A server that reads requests properly and leaves every byte of the answers to its scenario. */
export interface HostileServer {
  readonly port: number;
  /** Bytes that all connections together have sent. */
  readonly countSent: () => number;
  readonly close: () => Promise<void>;
}

/** Answers a request by bytes, or does with the connection as it likes. */
export type ScenarioAnswer = (
  request: SeenRequest,
  socket: Socket,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

const HEAD_END = '\r\n\r\n';

/** Headers by their name in lower case. A header that comes twice has two values. */
type HeaderFields = Record<string, string[]>;

const readHeaders = (lines: readonly string[]): HeaderFields => {
  const headers: HeaderFields = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
  }
  return headers;
};

/** Returns the body in chunks that begins at `start` and the index after it, or undefined if more has to come. */
const readChunks = (text: string, start: number): { body: string; end: number } | undefined => {
  let body = '';
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (Number.isNaN(size) || text.length < end) return undefined;
    if (size === 0) return { body, end };
    body += text.slice(lineEnd + 2, end - 2);
    at = end;
  }
};

/** A request as it came, and the index after it. The text has one character per byte. */
export const parseRequest = (
  text: string,
): { method: string; target: string; headers: HeaderFields; body: string; end: number } | undefined => {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = readHeaders(lines);
  const start = headEnd + HEAD_END.length;
  const length = Number(headers['content-length']?.[0] ?? 0);
  const read =
    headers['transfer-encoding'] === undefined
      ? text.length < start + length
        ? undefined
        : { body: text.slice(start, start + length), end: start + length }
      : readChunks(text, start);
  return read && { method, target, headers, body: Buffer.from(read.body, 'latin1').toString(), end: read.end };
};

/** Requests of one connection are answered one after the other. */
const serveConnection = (socket: Socket, take: (text: string) => { rest: string; done: Promise<void> } | undefined) => {
  let pending = '';
  let isBusy = false;
  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let taken = take(pending); taken; taken = take(pending)) {
      pending = taken.rest;
      await taken.done;
    }
    isBusy = false;
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy()); // clients may leave at any time
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1');
    void work();
  });
};

const getPort = (server: Server): number => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
};

/** Starts a server on a free loopback port. `see` gets each request before it is answered. */
export const startServer = async (
  see: (request: Omit<SeenRequest, 'host' | 'atMs'>) => SeenRequest,
  answer: ScenarioAnswer,
): Promise<HostileServer> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  let sent = 0;
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    const connection = ++connections;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      sent += socket.bytesWritten;
    });
    serveConnection(socket, (text) => {
      const parsed = parseRequest(text);
      if (!parsed) return undefined;
      const { end, ...request } = parsed;
      const reply = async (): Promise<void> => {
        const bytes = await answer(see({ ...request, connection }), socket);
        if (bytes) socket.write(bytes);
      };
      return { rest: text.slice(end), done: reply() };
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: getPort(server),
    countSent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sent),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
