import type { ProblemItem } from './generated/api.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * What was asked. It never holds the token.
 * @example if (error instanceof BrokerTransparencyError) console.error(error.request.url);
 */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Key a POST was sent with: sending the same body with it again cannot do it twice. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Root of everything a call throws, save the caller's own abort reason, a TypeError or RangeError for arguments that
 * cannot be sent, and what the caller's own functions throw.
 * @example if (error instanceof BrokerTransparencyError) console.error(error.message);
 */
export class BrokerTransparencyError extends Error {
  readonly request: SentRequest;
  constructor(message: string, request: SentRequest, options?: ErrorOptions) {
    super(message, options);
    this.request = request;
  }
  /** The answer, where one came. Its body has been read. */
  get response(): Response | undefined {
    return undefined;
  }
}
BrokerTransparencyError.prototype.name = 'BrokerTransparencyError';

/**
 * No complete answer came: the connection failed or broke. Whether a POST had its effect is unknown; send it again with
 * `error.request.idempotencyKey`.
 * @example if (error instanceof ConnectionError) console.error(error.cause);
 */
export class ConnectionError extends BrokerTransparencyError {
  readonly code = 'connection_failed';
}
ConnectionError.prototype.name = 'ConnectionError';

/**
 * No complete answer came within `timeoutMs`. Whether a POST had its effect is unknown, as with {@link ConnectionError}.
 * @example if (error instanceof TimeoutError) console.error(`gave up after ${error.timeoutMs} ms`);
 */
export class TimeoutError extends BrokerTransparencyError {
  readonly code = 'timeout';
  /** The limit that was met: that of the whole call or of its last try. */
  readonly timeoutMs: number;
  constructor(request: SentRequest, timeoutMs: number) {
    super(`${request.method} ${request.url} had no complete answer after ${timeoutMs} ms`, request);
    this.timeoutMs = timeoutMs;
  }
}
TimeoutError.prototype.name = 'TimeoutError';

/** An error that came with an answer. */
export abstract class AnswerError extends BrokerTransparencyError {
  readonly status: number;
  /** Seconds to wait before the next attempt, where the answer says so. */
  readonly retryAfter: number | undefined;
  // Private, so that logs of an error do not show all that a foreign server may have echoed.
  readonly #response: Response;
  constructor(message: string, request: SentRequest, response: Response) {
    super(message, request);
    this.status = response.status;
    const waitMs = retryAfterMs(response.headers);
    this.retryAfter = waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
    this.#response = response;
  }
  /** The answer. Its body has been read. */
  override get response(): Response {
    return this.#response;
  }
}

/**
 * The answer is none of this API's: a proxy's page, a redirect, JSON that was cut.
 * @example if (error instanceof InvalidResponseError) console.error(error.status, error.message);
 */
export class InvalidResponseError extends AnswerError {
  readonly code = 'invalid_response';
  constructor(reason: string, request: SentRequest, response: Response) {
    super(`${request.method} ${request.url} was answered ${response.status} with ${reason}`, request, response);
  }
}
InvalidResponseError.prototype.name = 'InvalidResponseError';

/** The body of an error answer, as far as it is known to be there. */
export interface ProblemBody {
  readonly code: string;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly requestId?: unknown;
  readonly errors?: unknown;
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Base of the error classes by code. Outside it is known as `ApiError`. */
export class ProblemError<Code extends string = string, Status extends number = number> extends AnswerError {
  /** Stable: switch over it. */
  readonly code: Code;
  declare readonly status: Status;
  /** Constant summary of the code. */
  readonly title: string;
  /** What went wrong this time. */
  readonly detail: string;
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  /** The places in the request that are not valid. */
  readonly errors: readonly ProblemItem[];
  constructor(problem: ProblemBody, request: SentRequest, response: Response) {
    const title = textOr(problem.title, problem.code);
    const detail = textOr(problem.detail, title);
    const requestId = textOr(problem.requestId, response.headers.get('x-request-id') ?? '');
    const quoted = requestId === '' ? '' : ` (request ${requestId})`;
    super(`${response.status} ${problem.code}: ${detail}${quoted}`, request, response);
    this.code = problem.code as Code;
    this.title = title;
    this.detail = detail;
    this.requestId = requestId === '' ? undefined : requestId;
    this.errors = Array.isArray(problem.errors) ? problem.errors : [];
  }
}
ProblemError.prototype.name = 'ApiError';
