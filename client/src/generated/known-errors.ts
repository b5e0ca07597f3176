// Made from the contract by `pnpm generate`. Do not edit.

import type * as errors from './errors.ts';

/** One of the error classes that have a known code. */
export type KnownApiError =
  | errors.InvalidRequestError
  | errors.MalformedJsonError
  | errors.BadRequestError
  | errors.AuthenticationRequiredError
  | errors.InvalidTokenError
  | errors.InsufficientScopeError
  | errors.KycRequiredError
  | errors.NotFoundError
  | errors.BrokerNotFoundError
  | errors.RegulatorNotFoundError
  | errors.ReviewNotFoundError
  | errors.ReportNotFoundError
  | errors.MethodNotAllowedError
  | errors.NotAcceptableError
  | errors.RequestTimeoutError
  | errors.ReviewExistsError
  | errors.ReportExistsError
  | errors.AppealExistsError
  | errors.StateConflictError
  | errors.IdempotencyInProgressError
  | errors.ContentTooLargeError
  | errors.UnsupportedMediaTypeError
  | errors.ExpectationFailedError
  | errors.IdempotencyKeyReusedError
  | errors.RateLimitError
  | errors.HeadersTooLargeError
  | errors.InternalError
  | errors.UnavailableError;
