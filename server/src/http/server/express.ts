import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import proxyaddr from 'proxy-addr';
import { addressKey } from '../rate-limit/limit.ts';
import { parseQuery } from '../request/query.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS, SECURITY_HEADERS } from '../response/headers.ts';
import { send } from '../response/reply.ts';

/** Returns Express with strict settings. `trustProxy`: number of trusted proxies, or their addresses. */
export const createExpress = (trustProxy: number | string[] = 0): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // replies compute their own
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQuery);
  app.set('trust proxy', trustProxy);
  return app;
};

/** Gives every answer its security headers. */
export const secure: RequestHandler = (req, _res, next) => {
  Object.assign(req.context.headers, SECURITY_HEADERS);
  next();
};

/** Allows pages of other origins to read every answer, and answers their preflight requests. */
export const cors: RequestHandler = (req, res, next) => {
  Object.assign(req.context.headers, CORS_HEADERS);
  const isPreflight = req.method === 'OPTIONS' && req.get('Access-Control-Request-Method') !== undefined;
  if (isPreflight) send(res, { status: 204, headers: PREFLIGHT_HEADERS });
  else next();
};

/** Returns a function for the key of a request's address. Without a trusted proxy, it is found once per connection. */
export const createAddressReader = (app: Express): ((req: IncomingMessage) => string) => {
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
