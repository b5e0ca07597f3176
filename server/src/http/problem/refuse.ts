import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { type CountRequest, OTHER_ROUTE } from '../../platform/observe/requests.ts';
import { API_HEADERS } from '../response/headers.ts';
import { type RawResponse, send } from '../response/reply.ts';
import { asksForPage, refusalPage } from './for-people.ts';
import { ProblemError, problemBody } from './problem.ts';

/** Content of a refusal. `path` is the path of the request, as far as there is one. */
export interface RequestRefusal {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly baseUrl: string;
  readonly path?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns the answer to a request with this id that does not reach Express. */
export const toRefusalResponse = (
  id: string,
  { code, detail, baseUrl, path = '', headers }: RequestRefusal,
): RawResponse => ({
  status: PROBLEMS[code].status,
  headers: { ...API_HEADERS, 'Content-Type': 'application/problem+json', 'X-Request-Id': id, ...headers },
  body: JSON.stringify(problemBody(new ProblemError(code, detail), { path, id, baseUrl })),
});

/** Sends a problem without Express, as a page to people. */
export const sendRefusal = (
  req: IncomingMessage,
  res: ServerResponse,
  refusal: RequestRefusal,
  countRequest: CountRequest,
): void => {
  const { id, method } = req.context;
  const said = toRefusalResponse(id, refusal);
  const answer = asksForPage(req)
    ? {
        ...said,
        headers: { ...said.headers, 'Content-Type': 'text/html; charset=utf-8' },
        body: refusalPage(refusal.code, id),
      }
    : said;
  send(res, answer);
  countRequest({ method, route: OTHER_ROUTE, status: answer.status, source: 'refused', ms: 0 });
};
