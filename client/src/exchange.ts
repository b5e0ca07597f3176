import { readAnswer } from './answer.ts';
import { ConnectionError, type SentRequest } from './errors.ts';
import { emit } from './hooks.ts';
import type { PreparedRequest } from './request.ts';
import { bearer, type Settings } from './settings.ts';
import type { KeptAnswer } from './store.ts';

/**
 * A good answer.
 * @example const { data, response }: Answered<NewsList> = await client.news.list().withResponse();
 */
export interface Answered<T = unknown> {
  readonly data: T;
  /** What was asked. */
  readonly request: SentRequest;
  /** The answer; its body has been read. A 304 means that the API said: what you have is current. */
  readonly response: Response;
}

/** The innermost message says most: Node's own is "fetch failed". */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
};

const connectionError = (sent: SentRequest, cause: unknown): ConnectionError =>
  new ConnectionError(`${sent.method} ${sent.url} got no complete answer: ${reasonOf(cause)}`, sent, { cause });

/** Headers that are known only now. */
const lateHeaders = async (
  { call, sent, headers }: PreparedRequest,
  attempt: number,
  kept: KeptAnswer | undefined,
  { token, hooks }: Settings,
): Promise<Record<string, string>> => {
  const added: Record<string, string> = {};
  if (kept) added['if-none-match'] = kept.etag;
  emit(hooks, 'request', { call, request: sent, attempt, headers: added });
  return token && !headers['authorization'] ? { ...added, ...bearer(await token()) } : added;
};

/**
 * Sends a request once and reads its answer.
 * @throws ConnectionError, AnswerError, or what functions of the caller throw
 */
export const exchange = async (
  prepared: PreparedRequest,
  attempt: number,
  settings: Settings,
  signal: AbortSignal,
): Promise<Answered<object>> => {
  const { call, sent, headers, body } = prepared;
  const { method, url } = sent;
  const store = method === 'GET' && !headers['if-none-match'] ? settings.store : undefined;
  const kept = store && (await store.get(url));
  const hasLate = kept !== undefined || settings.token !== undefined || settings.hooks.length > 0;
  const all = hasLate ? { ...headers, ...(await lateHeaders(prepared, attempt, kept, settings)) } : { ...headers };
  // The time may have run out while store and token were asked.
  signal.throwIfAborted();
  let response: Response;
  let text: string;
  try {
    // A redirect would take the token elsewhere or turn a POST into a GET; this API has none.
    const init: RequestInit = { method, headers: all, redirect: 'manual', signal };
    if (body !== undefined) init.body = body;
    response = await settings.fetch(url, init);
    text = await response.text();
  } catch (cause) {
    throw connectionError(sent, cause);
  }
  // A `fetch` that ignores its signal may come back when the call has ended.
  signal.throwIfAborted();
  settings.rateLimiter.read(response.headers, Date.now());
  const answer: object = kept && response.status === 304 ? JSON.parse(kept.body) : readAnswer(text, sent, response);
  const failed = answer instanceof Error;
  emit(settings.hooks, 'response', { call, request: sent, attempt, response, data: failed ? undefined : answer });
  if (failed) throw answer;
  const etag = store && response.status === 200 && response.headers.get('etag');
  if (etag) await store.set(url, { etag, body: text });
  return { data: answer, request: sent, response };
};
