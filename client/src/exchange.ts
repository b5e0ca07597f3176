import { readAnswer } from './answer.ts';
import { ConnectionError, requestIdOf, type SentRequest } from './errors.ts';
import { emit } from './hooks.ts';
import type { TokenFunction } from './options.ts';
import type { PreparedRequest } from './request.ts';
import { bearer, type Settings } from './settings.ts';
import { readStore, writeStore } from './store.ts';

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

/** The innermost message says most: Node's own is "fetch failed". An error may be its own cause. */
const reasonOf = (error: unknown, depth = 9): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined || depth === 0 ? error.message : reasonOf(error.cause, depth - 1);
};

const connectionError = ({ sent }: PreparedRequest, { response }: Try, cause: unknown): ConnectionError =>
  new ConnectionError(`${sent.method} ${sent.url} got no complete answer: ${reasonOf(cause)}`, sent, {
    cause,
    requestId: requestIdOf(response),
  });

/** One try of a call. */
export interface Try {
  /** 1 for the first. */
  readonly attempt: number;
  /** The token that the last try was refused with, and the error that said so. */
  readonly refused: { readonly token: string | undefined; readonly error: unknown } | undefined;
  /** The token that a function gave for it. */
  token?: string | undefined;
  /** The head of its answer, once it is there. */
  response?: Response;
}

/** The header with the token that a function gives now. */
const askToken = async (tokenOf: TokenFunction, tried: Try): Promise<{ authorization?: string }> => {
  const { refused } = tried;
  const token = (await tokenOf(refused?.token)) ?? undefined;
  if (refused && token === refused.token) throw refused.error;
  tried.token = token;
  return bearer(token);
};

/**
 * Sends a request once and reads its answer.
 * @throws ConnectionError, AnswerError, or what functions of the caller throw
 */
export const exchange = async (
  prepared: PreparedRequest,
  tried: Try,
  settings: Settings,
  signal: AbortSignal,
): Promise<Answered<object>> => {
  const { call, sent, body, fetchOptions, rateLimiter, token } = prepared;
  const { method, url } = sent;
  const { attempt } = tried;
  const store = method === 'GET' && !prepared.headers['if-none-match'] ? settings.store : undefined;
  const kept = store && (await readStore(store, url));
  const added: Record<string, string> = kept ? { 'if-none-match': kept.etag } : {};
  emit(settings.hooks, 'request', { call, request: sent, attempt, headers: added });
  const headers = { ...prepared.headers, ...added, ...(token && (await askToken(token, tried))) };
  // The time may have run out while store and token were asked.
  signal.throwIfAborted();
  let response: Response;
  let text: string;
  try {
    // A redirect would take the token elsewhere or turn a POST into a GET; this API has none.
    const init: RequestInit = { ...fetchOptions, method, headers, redirect: 'manual', signal };
    if (body !== undefined) init.body = body;
    response = await settings.fetch(url, init);
    tried.response = response;
    text = await response.text();
  } catch (cause) {
    throw connectionError(prepared, tried, cause);
  }
  // A `fetch` that ignores its signal may come back when the call has ended.
  signal.throwIfAborted();
  rateLimiter.read(response.headers, Date.now());
  const answer: object = kept && response.status === 304 ? kept.data : readAnswer(text, sent, response);
  const failed = answer instanceof Error;
  emit(settings.hooks, 'response', {
    call,
    request: sent,
    attempt,
    response,
    data: failed ? undefined : answer,
  });
  if (failed) throw answer;
  const etag = store && response.status === 200 && response.headers.get('etag');
  if (etag) await writeStore(store, url, { etag, body: text });
  return { data: answer, request: sent, response };
};
