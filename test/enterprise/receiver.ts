/** A receiver of webhooks by node:http: no code of the product takes part. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as it came. */
interface ReceivedMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since it was published. */
  readonly age: number;
  /** The status with which it was answered. */
  status: number;
}

/** Says how a message is answered: a status, or nothing if it answers by itself. */
type ReceiverBehaviour = (message: ReceivedMessage, res: ServerResponse, req: IncomingMessage) => number | undefined;

export interface Receiver {
  readonly port: number;
  readonly url: (path?: string) => string;
  readonly received: readonly ReceivedMessage[];
  /** The numbers of events at a path that were taken, in the order in which they came. */
  readonly numbers: (path?: string) => number[];
  readonly behave: (behaviour?: ReceiverBehaviour) => void;
  /** Refuses connections, or takes them again. */
  readonly close: () => Promise<void>;
  readonly open: () => Promise<void>;
}

const acceptMessage: ReceiverBehaviour = () => 200;

export const startReceiver = async (): Promise<Receiver> => {
  const received: ReceivedMessage[] = [];
  let behaviour = acceptMessage;
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await text(req);
    const { type, timestamp, data } = JSON.parse(body);
    const headers = req.headers as Record<string, string>;
    const age = Date.now() - Date.parse(timestamp);
    const message: ReceivedMessage = { path: req.url ?? '', headers, body, type, data, age, status: 0 };
    received.push(message);
    const status = behaviour(message, res, req);
    if (status === undefined) return;
    message.status = status;
    res.writeHead(status, { 'Content-Type': 'text/plain' }).end('an answer that nobody keeps');
  };
  const listen = async (port: number) => {
    const server = createServer((req, res) => void answer(req, res)).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    port,
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    received,
    numbers: (path = '/') =>
      received
        .filter((one) => one.path === path && one.type === 'entry.published' && one.status >= 200 && one.status < 300)
        .map(({ data }) => data['number'] as number),
    behave: (as = acceptMessage) => {
      behaviour = as;
    },
    close,
    open: async () => {
      if (!server.listening) server = await listen(port);
    },
  };
};
