import type { IncomingMessage, RequestListener } from 'node:http';
import type { Request } from 'express';
import { OTHER_ROUTE } from '../../platform/observe/requests.ts';
import type { RecordAnswer } from './record.ts';
import { onClosed } from './reply.ts';

/** Status of a request whose caller left before the answer, as in nginx. */
const CLIENT_CLOSED = 499;

/** Returns the template of the route that Express matched. */
const findRouteTemplate = (req: IncomingMessage): string => {
  const { route } = req as Partial<Request>;
  return route === undefined ? OTHER_ROUTE : `${req.context.basePath ?? ''}${route.path}`;
};

/** Records the answers of Express, by route template. */
export const recordResponses =
  (app: RequestListener, record: RecordAnswer): RequestListener =>
  (req, res) => {
    onClosed(res, (status = CLIENT_CLOSED) => record(req, { status, route: findRouteTemplate(req), source: 'app' }));
    app(req, res);
  };
