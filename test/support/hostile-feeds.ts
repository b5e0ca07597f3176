import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FeedHandler = (req: IncomingMessage, res: ServerResponse) => void;

export interface FeedServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  /** Sets what the server answers at a path. Returns the address. */
  readonly serve: (path: string, handler: FeedHandler | string) => string;
  /** Requests received so far for a path. */
  readonly asked: (path: string) => IncomingMessage[];
  readonly close: () => Promise<void>;
}

const asXml =
  (text: string): FeedHandler =>
  (_req, res) => {
    res.setHeader('Content-Type', 'application/rss+xml; charset=utf-8').end(text);
  };

/** A feed server on loopback whose answers each test defines. */
export const startFeedServer = async (): Promise<FeedServer> => {
  const handlers = new Map<string, FeedHandler>();
  const requests: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    requests.push(req);
    const handler = handlers.get(req.url ?? '');
    if (handler) handler(req, res);
    else res.writeHead(404).end('nothing here');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    serve: (path, handler) => {
      handlers.set(path, typeof handler === 'string' ? asXml(handler) : handler);
      return `${origin}${path}`;
    },
    asked: (path) => requests.filter(({ url }) => url === path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export interface Item {
  readonly title?: string;
  readonly link?: string;
  readonly guid?: string;
  readonly date?: string;
  readonly description?: string;
}

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${text}</${name}>`;

/** An RSS item. Its texts must already be XML. */
const rssItem = ({ title, link, guid, date, description }: Item): string =>
  `<item>${element('title', title)}${element('link', link)}${element('guid', guid)}${element('pubDate', date)}${element('description', description)}</item>`;

export const rss = (items: readonly Item[], before = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<rss ` +
  `version="2.0"><channel><title>F</title>${items.map(rssItem).join('')}</channel></rss>`;
