import type { ServerResponse } from 'node:http';
import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { countRequest, OTHER_ROUTE } from '../../platform/observe/requests.ts';
import { API_HEADERS } from '../response/headers.ts';
import { ProblemError, problemBody } from './problem.ts';

/** What a refusal is made of. `path` is that of the request, as far as it has one. */
interface Refusal {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly id: string;
  readonly baseUrl: string;
  readonly path?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A problem that is answered without Express: status, the headers of every answer, body. */
export const refusalOf = ({ code, detail, id, baseUrl, path = '', headers = {} }: Refusal) => {
  const body = JSON.stringify(problemBody(new ProblemError(code, detail), { path, id, baseUrl }));
  return {
    status: PROBLEMS[code].status,
    headers: {
      ...API_HEADERS,
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': id,
      ...headers,
    },
    body,
  };
};

/** Answers by a problem without Express. */
export const refuse = (
  res: ServerResponse,
  code: ProblemCode,
  detail: string,
  given: Pick<Refusal, 'baseUrl' | 'path' | 'headers'>,
): void => {
  const { status, headers, body } = refusalOf({ code, detail, id: res.req.context.id, ...given });
  res.writeHead(status, headers);
  res.end(body);
  countRequest(res.req.context.method, OTHER_ROUTE, status, 'refused', 0);
};
