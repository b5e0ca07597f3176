import type { Fetch } from '@broker-transparency/client';
import type { LocalRead, ServedRoute } from '../http/cache/cached-routes.ts';
import type { CachedAnswer } from '../http/cache/response-cache.ts';
import { toProblem } from '../http/problem/error-handler.ts';
import { problemBody } from '../http/problem/problem.ts';
import type { BudgetLimits } from '../http/rate-limit/limit.ts';
import { createMatcher } from '../http/request/match.ts';

/** Receives a page's answers and faults. */
interface PageReader {
  /** The budget of the page; undefined if the page reads no route with its own budget. */
  readonly costs?: keyof BudgetLimits | undefined;
  /** Called with each answer of the cache. */
  readonly onAnswer: (answer: CachedAnswer) => void;
  /** Called with the error of a failed read. Returns the id of the problem. */
  readonly onFault: (error: unknown) => string;
}

/**
 * Creates a `fetch` that reads public routes inside the process. It logs and encodes nothing, and counts only the cost
 * of the page itself. A failed read is answered by a problem, as over HTTP.
 */
export const createLocalFetch = (
  routes: readonly ServedRoute[],
  publicUrl: string,
): ((reader: PageReader) => Fetch) => {
  const match = createMatcher<LocalRead>(routes.map(({ local, ...route }) => ({ ...route, read: local })));
  const read = async (target: string, { costs, onAnswer }: PageReader): Promise<Response> => {
    const found = match('GET', target);
    if (!found?.read) throw new Error(`${target} is no public read in its canonical form`);
    if (found.limit !== 'public' && found.limit !== costs)
      throw new Error(`${target} has the budget "${found.limit}": a page that reads it needs costs: '${found.limit}'`);
    const { status, plain, answer } = await found.read.obtain();
    if (answer) onAnswer(answer);
    const headers = { 'Content-Type': 'application/json', ...answer?.headers };
    return new Response(new Uint8Array(plain), { status, headers });
  };
  return (reader) => async (url) => {
    const target = url.slice(new URL(url).origin.length);
    try {
      return await read(target, reader);
    } catch (error) {
      const problem = toProblem(error);
      const id = reader.onFault(error);
      const body = problemBody(problem, { path: target.split('?', 1)[0] ?? '/', id, baseUrl: publicUrl });
      const headers = { ...problem.headers, 'Content-Type': 'application/problem+json', 'X-Request-Id': id };
      return Response.json(body, { status: problem.status, headers });
    }
  };
};
