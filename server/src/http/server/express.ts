import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import express, { type Express } from 'express';
import proxyaddr from 'proxy-addr';
import { addressKey } from '../rate-limit/limit.ts';
import { parseQuery } from '../request/query.ts';

/** Express, strict where its defaults are loose. `trustProxy`: how many proxies are believed, or which. */
export const createExpress = (trustProxy: number | string[]): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // replies make their own
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQuery);
  app.set('trust proxy', trustProxy);
  return app;
};

/** Key of the address that a request comes from; where no proxy is believed, found once per connection. */
export const createAddressOf = (app: Express): ((req: IncomingMessage) => string) => {
  const believes = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const believesProxies = app.get('trust proxy') !== 0;
  const known = new WeakMap<Socket, string>();
  return (req) => {
    if (believesProxies) return addressKey({ ip: proxyaddr(req, believes) });
    const key = known.get(req.socket) ?? addressKey({ ip: req.socket.remoteAddress });
    known.set(req.socket, key);
    return key;
  };
};
