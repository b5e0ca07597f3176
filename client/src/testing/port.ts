import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { DroppedError } from './faults.ts';
import type { Reply } from './reply.ts';
import type { IncomingRequest } from './respond.ts';

/** An open port. */
export interface Port {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

type Responder = (incoming: IncomingRequest) => Promise<Reply>;

const readHeaders = ({ headersDistinct }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
};

const readBytes = async (message: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

const serveRequest = async (message: IncomingMessage, response: ServerResponse, origin: string, respond: Responder) => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = 'GET', url = '/' } = message;
  const incoming = { method, url: new URL(url, origin), headers: readHeaders(message), signal: gone.signal };
  const { status, headers, body, pieces } = await respond({ ...incoming, bytes: await readBytes(message) });
  response.writeHead(status, headers);
  if (pieces === undefined) response.end(body);
  else {
    response.flushHeaders();
    for await (const piece of pieces()) response.write(piece);
    response.end();
  }
};

/**
 * Imports `node:http`. The name is composed at run time, so that bundlers for browsers and Workers do not look for the
 * module: everything else here runs there too.
 */
const importNodeHttp = (): Promise<typeof import('node:http')> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ ['node', 'http'].join(':'));

/**
 * Serves on a loopback port.
 * @throws Error if the platform has no `node:http` or the port is taken
 */
export const openPort = async (respond: Responder, port: number): Promise<Port> => {
  const { createServer } = await importNodeHttp();
  let origin = '';
  const server: Server = createServer((message, response) => {
    serveRequest(message, response, origin, respond).catch((error: unknown) => {
      response.destroy();
      if (!(error instanceof DroppedError)) throw error;
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    origin,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};
