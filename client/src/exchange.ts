import { readAnswer } from './answer.ts';
import type { ApiResponse } from './api-response.ts';
import { readText } from './body.ts';
import { AnswerError, ConnectionError } from './errors.ts';
import { emit } from './hooks.ts';
import type { TokenFunction } from './options.ts';
import { follow } from './redirect.ts';
import type { PreparedRequest } from './request.ts';
import { bearer, type Settings } from './settings.ts';
import { readStore, writeStore } from './store.ts';

/**
 * Returns the innermost message, which is the most specific one: Node's own says only "fetch failed". The depth is
 * limited because an error may be its own cause.
 */
const findRootMessage = (error: unknown, depth = 9): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined || depth === 0 ? error.message : findRootMessage(error.cause, depth - 1);
};

/** One try of a call. */
export interface Attempt {
  /** Number of the try; the first is 1. */
  readonly attempt: number;
  /** The token that the API refused in an earlier try, and the error of that try. */
  readonly refused: { readonly token: string | undefined; readonly error: unknown } | undefined;
  /** The token that the token function gave for this try. */
  token?: string | undefined;
  /** Status and headers of the answer, as soon as they have arrived. */
  response?: Response;
}

/**
 * Asks the token function for a token and returns it as a header.
 * @throws the earlier error if the function gives the refused token again
 */
const requestToken = async (getToken: TokenFunction, tried: Attempt): Promise<{ authorization?: string }> => {
  const { refused } = tried;
  const token = (await getToken(refused?.token)) ?? undefined;
  if (refused && token === refused.token) throw refused.error;
  tried.token = token;
  return bearer(token);
};

/**
 * Sends a request once and reads its answer.
 * @throws ConnectionError, AnswerError, or an error of the caller's own functions
 */
export const exchange = async (
  prepared: PreparedRequest,
  tried: Attempt,
  settings: Settings,
  signal: AbortSignal,
): Promise<ApiResponse<object>> => {
  const { call, sent, body, fetchOptions, limits, rateLimiter, token } = prepared;
  const { method, url } = sent;
  const event = { call, request: sent, attempt: tried.attempt };
  const store = method === 'GET' && !prepared.headers['if-none-match'] ? settings.store : undefined;
  const kept = store && (await readStore(store, url));
  const added: Record<string, string> = kept ? { 'if-none-match': kept.etag } : {};
  for (const hook of settings.hooks) await hook.request?.({ ...event, body, headers: added });
  const headers = { ...prepared.headers, ...added, ...(token && (await requestToken(token, tried))) };
  // The time may have run out while the store, the hooks and the token function were working.
  signal.throwIfAborted();
  let response: Response;
  let content: object | string | undefined;
  try {
    // `fetch` would follow any redirect: it could send headers elsewhere, or turn a POST into a GET. This API redirects
    // only a GET, by a 308 to an address of its own.
    response = await settings.fetch(url, { ...fetchOptions, method, headers, body, redirect: 'manual', signal });
    tried.response = response;
    content = await (prepared.readBody ?? readText)(response, limits.maxBytes);
  } catch (cause) {
    const message = `${method} ${url} got no complete answer: ${findRootMessage(cause)}`;
    throw new ConnectionError(message, sent, { cause, response: tried.response });
  }
  // A `fetch` that ignores its signal may return after the call has ended.
  signal.throwIfAborted();
  rateLimiter.read(response.headers, Date.now());
  const file = typeof content === 'object' && content;
  const answer: object =
    file || (kept && response.status === 304 ? kept.data : readAnswer(content as string | undefined, sent, response));
  const failed = answer instanceof AnswerError;
  emit(settings.hooks, 'response', { ...event, response, data: failed || file ? undefined : answer });
  if (failed) {
    if (method === 'GET' && !prepared.moved) await follow(prepared, answer, settings, signal);
    throw answer;
  }
  const etag = store && response.status === 200 && response.headers.get('etag');
  if (etag) await writeStore(store, url, { etag, body: content as string });
  return { data: answer, request: sent, response };
};
