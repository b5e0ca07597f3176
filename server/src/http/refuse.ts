import type { ServerResponse } from 'node:http';
import { PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { countRequest, OTHER_ROUTE } from '../observe/requests.ts';
import { requestIdOf } from './begin.ts';
import { CORS_HEADERS } from './cors.ts';
import { ProblemError, problemBody } from './problems.ts';

const NO_SNIFF = { 'Content-Type': 'application/problem+json', 'X-Content-Type-Options': 'nosniff' } as const;

/** Answers by a problem without Express. `path` is that of the request, as far as it has one. */
export const refuse = (
  res: ServerResponse,
  code: ProblemCode,
  detail: string,
  { baseUrl, path = '', headers = {} }: { baseUrl: string; path?: string; headers?: Readonly<Record<string, string>> },
): void => {
  const id = requestIdOf(res.req);
  const body = JSON.stringify(problemBody(new ProblemError(code, detail), { path, id, baseUrl }));
  res.writeHead(PROBLEMS[code].status, {
    ...NO_SNIFF,
    ...CORS_HEADERS,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': id,
    'Cache-Control': 'no-store',
    ...headers,
  });
  res.end(body);
  countRequest(res.req.method as string, OTHER_ROUTE, res.statusCode, 'refused', 0);
};
