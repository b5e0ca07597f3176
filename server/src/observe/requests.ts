import { durations, once } from './counted.ts';
import { gauge } from './registry.ts';

/** Where an answer came from: it was ready; it was made, for this request first; or Express made it. */
export type AnswerSource = 'ready' | 'made' | 'app';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);
const SOURCES: Readonly<Record<AnswerSource, number>> = { ready: 0, made: 1, app: 2 };

const requestDurations = durations<
  'http_request_method' | 'http_route' | 'http_response_status_code' | 'answer_source'
>('http_server_request_duration_seconds', 'Requests by route, and how long they took until the answer was written.');

/** By route, method, then status and source in one number: two strings and a number are looked up, none is put together. */
const find = once((route: string) =>
  once((method: string) =>
    once((statusAndSource: number) =>
      requestDurations({
        http_request_method: method,
        http_route: route,
        http_response_status_code: String(statusAndSource >> 2),
        answer_source: (['ready', 'made', 'app'] as const)[statusAndSource & 3] as AnswerSource,
      }),
    ),
  ),
);

let begun = 0;
let ended = 0;
gauge('http_server_active_requests', 'Requests that are not answered yet.', () => begun - ended);

/** Counts requests, by the template of their route: there are few of those, whatever is asked for. */
export const requests = {
  begun: (): void => {
    begun++;
  },
  ended: (method: string, route: string, status: number, source: AnswerSource, ms: number): void => {
    ended++;
    find(route)(METHODS.has(method) ? method : '_OTHER')((status << 2) | SOURCES[source])(ms);
  },
};
