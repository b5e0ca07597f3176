// Made from the contract by `pnpm generate`. Do not edit.

import * as errors from './errors.ts';

/** Class of each code. */
export const ERROR_CLASSES = {
  invalid_request: errors.InvalidRequestError,
  malformed_json: errors.MalformedJsonError,
  bad_request: errors.BadRequestError,
  authentication_required: errors.AuthenticationRequiredError,
  invalid_token: errors.InvalidTokenError,
  insufficient_scope: errors.InsufficientScopeError,
  kyc_required: errors.KycRequiredError,
  not_found: errors.NotFoundError,
  broker_not_found: errors.BrokerNotFoundError,
  regulator_not_found: errors.RegulatorNotFoundError,
  review_not_found: errors.ReviewNotFoundError,
  report_not_found: errors.ReportNotFoundError,
  method_not_allowed: errors.MethodNotAllowedError,
  not_acceptable: errors.NotAcceptableError,
  request_timeout: errors.RequestTimeoutError,
  review_exists: errors.ReviewExistsError,
  report_exists: errors.ReportExistsError,
  appeal_exists: errors.AppealExistsError,
  state_conflict: errors.StateConflictError,
  idempotency_in_progress: errors.IdempotencyInProgressError,
  content_too_large: errors.ContentTooLargeError,
  unsupported_media_type: errors.UnsupportedMediaTypeError,
  expectation_failed: errors.ExpectationFailedError,
  idempotency_key_reused: errors.IdempotencyKeyReusedError,
  rate_limited: errors.RateLimitedError,
  headers_too_large: errors.HeadersTooLargeError,
  internal_error: errors.InternalError,
  unavailable: errors.UnavailableError,
} as const;
