import { errorClass } from './error-class.ts';
import { type ProblemBody, ProblemError, type SentRequest } from './errors.ts';
import type { KnownApiError } from './generated/known-errors.ts';

/**
 * An enumeration is the only subtype of `string` that still lets `switch (error.code)` narrow. It has no value at run
 * time.
 */
declare enum NewerCode {
  Unknown = 'a code of a newer version of the API',
}

/**
 * The type of a code that is newer than this version of the client. Its value is some string.
 * @example const text: string = error.code;
 */
export type FutureCode = NewerCode;

/**
 * An error answer of the API. `switch (error.code)` narrows it to the class of that code.
 * @example
 * if (error instanceof ApiError)
 *   switch (error.code) {
 *     case 'broker_not_found': return undefined;
 *     case 'rate_limited': return later(error.retryAfter);
 *   }
 */
export type ApiError = KnownApiError | ProblemError<FutureCode>;

/**
 * Base class of all error answers of the API.
 * @example if (error instanceof ApiError) console.error(error.code, error.requestId);
 */
export const ApiError = ProblemError as {
  /** The client calls this. Tests of an application may call it too. */
  new (problem: ProblemBody, request: SentRequest, response: Response): ApiError;
  readonly prototype: ApiError;
};

/** Creates the error for a problem document, with the class of its code. */
export const createApiError = (problem: ProblemBody, request: SentRequest, response: Response): ProblemError =>
  new (errorClass(problem.code))(problem, request, response);
