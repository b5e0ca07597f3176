import { BrokerTransparencyError } from './base-error.ts';
import type { ProblemItem } from './generated/api.ts';
import { retryAfterMs } from './retry-after.ts';
import { bounded } from './text.ts';

/**
 * The request behind an answer or error. It never contains the token.
 * @example if (error instanceof RequestError) console.error(error.request.url);
 */
export interface SentRequest {
  readonly method: string;
  /** The address. After a redirect that the client followed it is the new one. */
  readonly url: string;
  /** Idempotency key of a POST. Sending the same body again with this key has no second effect. */
  readonly idempotencyKey: string | undefined;
}

const MOST_TEXT = 1_000;
const MOST_ID = 200;
const MOST_PLACES = 100;

/** Details of an error besides its message. */
interface ErrorDetails extends ErrorOptions {
  /** The answer, as far as it came. */
  readonly response?: Response | undefined;
  /** By default that of the answer's header. */
  readonly requestId?: string | undefined;
}

/**
 * Base class of the errors of a request.
 * @example if (error instanceof RequestError) console.error(error.request.url);
 */
export class RequestError extends BrokerTransparencyError {
  declare readonly request: SentRequest;
  /** Quote this id when you ask the operator for help. It is undefined if no answer had one. */
  declare readonly requestId: string | undefined;
  constructor(message: string, request: SentRequest, { response, requestId, ...options }: ErrorDetails = {}) {
    const id = bounded(requestId ?? response?.headers.get('x-request-id') ?? '', MOST_ID);
    super(bounded(message, MOST_TEXT) + (id ? ` (request ${id})` : ''), options);
    this.request = request;
    this.requestId = id || undefined;
  }
  /** The answer, if one came. Its body has already been read. */
  get response(): Response | undefined {
    return undefined;
  }
}
RequestError.prototype.name = 'RequestError';

/**
 * The connection failed or broke before a complete answer came. It is unknown whether a POST took effect: send it again
 * with `error.request.idempotencyKey`.
 * @example if (error instanceof ConnectionError) console.error(error.cause);
 */
export class ConnectionError extends RequestError {
  readonly code = 'connection_failed';
}
ConnectionError.prototype.name = 'ConnectionError';

/**
 * No complete answer came within `timeoutMs`. It is unknown whether a POST took effect: see {@link ConnectionError}.
 * @example if (error instanceof TimeoutError) console.error(`gave up after ${error.timeoutMs} ms`);
 */
export class TimeoutError extends RequestError {
  readonly code = 'timeout';
  /** The limit that was reached: that of the whole call or that of its last try. */
  declare readonly timeoutMs: number;
  constructor(request: SentRequest, timeoutMs: number, details?: ErrorDetails) {
    super(`${request.method} ${request.url} had no complete answer after ${timeoutMs} ms`, request, details);
    this.timeoutMs = timeoutMs;
  }
}
TimeoutError.prototype.name = 'TimeoutError';

/** An error with an answer. */
export abstract class AnswerError extends RequestError {
  declare readonly status: number;
  /** Seconds to wait before the next attempt, if the answer states them. */
  declare readonly retryAfter: number | undefined;
  // Private, so that a log of the error does not show what a foreign server may have echoed.
  readonly #response: Response;
  constructor(message: string, request: SentRequest, response: Response, requestId?: string) {
    super(message, request, { response, requestId });
    this.status = response.status;
    const waitMs = retryAfterMs(response.headers);
    this.retryAfter = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
    this.#response = response;
  }
  /** The answer. Its body has already been read. */
  override get response(): Response {
    return this.#response;
  }
}

/**
 * The answer is not from this API, or is damaged: a proxy's page, a redirect that the client does not follow, or JSON
 * that was cut off.
 * @example if (error instanceof InvalidResponseError) console.error(error.status, error.message);
 */
export class InvalidResponseError extends AnswerError {
  readonly code = 'invalid_response';
  constructor(reason: string, request: SentRequest, response: Response) {
    super(`${request.method} ${request.url} was answered ${response.status} with ${reason}`, request, response);
  }
}
InvalidResponseError.prototype.name = 'InvalidResponseError';

/**
 * The body of an error answer. Only its code is known to be there.
 * @example const body: ProblemBody = { code: 'broker_not_found' };
 */
export interface ProblemBody {
  readonly code: string;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly requestId?: unknown;
  readonly errors?: unknown;
}

const textOr = (value: unknown, otherwise: string): string =>
  bounded(typeof value === 'string' ? value : otherwise, MOST_TEXT);

/**
 * An error answer with a code and a status. At run time this is the class `ApiError`.
 * @example const show = ({ code, status, detail }: ProblemError) => console.error(code, status, detail);
 */
export class ProblemError<Code extends string = string, Status extends number = number> extends AnswerError {
  /** Stable code. Callers can switch over it. */
  declare readonly code: Code;
  declare readonly status: Status;
  /** Constant summary for this code. */
  declare readonly title: string;
  /** What went wrong in this request. */
  declare readonly detail: string;
  /** The invalid places in the request. */
  declare readonly errors: readonly ProblemItem[];
  constructor(problem: ProblemBody, request: SentRequest, response: Response) {
    const code = bounded(problem.code, MOST_TEXT / 10);
    const title = textOr(problem.title, code);
    const detail = textOr(problem.detail, title);
    const requestId = typeof problem.requestId === 'string' ? problem.requestId : undefined;
    super(`${response.status} ${code}: ${detail}`, request, response, requestId);
    this.code = code as Code;
    this.title = title;
    this.detail = detail;
    this.errors = Array.isArray(problem.errors) ? problem.errors.slice(0, MOST_PLACES) : [];
  }
}
ProblemError.prototype.name = 'ApiError';
