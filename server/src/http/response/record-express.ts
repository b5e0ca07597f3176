import type { IncomingMessage, RequestListener } from 'node:http';
import type { Request } from 'express';
import { OTHER_ROUTE } from '../../platform/observe/requests.ts';
import type { RecordAnswer } from './record.ts';
import { onClosed } from './reply.ts';

/** Status of a request whose caller left before there was an answer. The number is nginx's. */
const CLIENT_CLOSED = 499;

/** Template of the route that Express found. */
const findRouteTemplate = (req: IncomingMessage): string => {
  const { route } = req as Partial<Request>;
  return route === undefined ? OTHER_ROUTE : `${req.context.basePath ?? ''}${route.path}`;
};

/** Records what Express answers, by the template of its route. */
export const recordResponses =
  (app: RequestListener, record: RecordAnswer): RequestListener =>
  (req, res) => {
    onClosed(res, (status = CLIENT_CLOSED) => record(req, { status, route: findRouteTemplate(req), source: 'app' }));
    app(req, res);
  };
