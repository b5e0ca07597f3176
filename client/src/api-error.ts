import { errorClass } from './error-class.ts';
import { type ProblemBody, ProblemError, type SentRequest } from './errors.ts';
import type { KnownApiError } from './generated/known-errors.ts';

/** Only an enumeration is a subtype of `string` beside which `switch (error.code)` still narrows. It has no value. */
declare enum NewerCode {
  Unknown = 'a code of a newer version of the API',
}

/**
 * Type of a code that this version of the client does not know yet: some string.
 * @example const text: string = error.code;
 */
export type FutureCode = NewerCode;

/**
 * An error answer of the API. `switch (error.code)` narrows it to one class.
 * @example
 * if (error instanceof ApiError)
 *   switch (error.code) {
 *     case 'broker_not_found': return undefined;
 *     case 'rate_limited': return later(error.retryAfter);
 *   }
 */
export type ApiError = KnownApiError | ProblemError<FutureCode>;

/**
 * Base class of all error answers.
 * @example if (error instanceof ApiError) console.error(error.code, error.requestId);
 */
export const ApiError = ProblemError as {
  /** Made by the client. Tests of one's own code may make one too. */
  new (problem: ProblemBody, request: SentRequest, response: Response): ApiError;
  readonly prototype: ApiError;
};

/** The error for a problem document, of the class of its code. */
export const apiErrorOf = (problem: ProblemBody, request: SentRequest, response: Response): ProblemError =>
  new (errorClass(problem.code))(problem, request, response);
