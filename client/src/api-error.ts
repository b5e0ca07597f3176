import { type ProblemBody, ProblemError, type ReceivedResponse, type SentRequest } from './errors.ts';
import { ERROR_CLASSES } from './generated/error-table.ts';

/** Only an enumeration is a subtype of `string` beside which `switch (error.code)` still narrows. It has no value. */
declare enum NewerCode {
  Unknown = 'a code of a newer version of the API',
}

/**
 * Type of a code that this version of the client does not know yet: some string.
 * @example const text: string = error.code;
 */
export type FutureCode = NewerCode;

/** One of the error classes that have a known code. */
type KnownApiError = InstanceType<(typeof ERROR_CLASSES)[keyof typeof ERROR_CLASSES]>;

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
 * Base class of all error answers; answers with a code unknown to this version are of this class itself.
 * @example if (error instanceof ApiError) console.error(error.code, error.requestId);
 */
export const ApiError = ProblemError as {
  new (problem: ProblemBody, request: SentRequest, response: ReceivedResponse): ApiError;
  readonly prototype: ApiError;
};

const isKnown = (code: string): code is keyof typeof ERROR_CLASSES => Object.hasOwn(ERROR_CLASSES, code);

/** The error for a problem document, of the class of its code. */
export const apiErrorOf = (problem: ProblemBody, request: SentRequest, response: ReceivedResponse): ApiError =>
  new (isKnown(problem.code) ? ERROR_CLASSES[problem.code] : ApiError)(problem, request, response);
