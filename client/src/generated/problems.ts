// Made from the contract by `pnpm generate`. Do not edit.

/**
 * Every error code of the API with its status and title.
 * @example PROBLEMS.broker_not_found.status // 404
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: "The request is not valid" },
  malformed_json: { status: 400, title: "The body is not JSON" },
  bad_request: { status: 400, title: "The request is not valid HTTP" },
  authentication_required: { status: 401, title: "Authentication is required" },
  invalid_token: { status: 401, title: "The token is not valid" },
  insufficient_scope: { status: 403, title: "The token lacks a scope" },
  kyc_required: { status: 403, title: "Identity verification is required" },
  not_found: { status: 404, title: "There is nothing at this path" },
  broker_not_found: { status: 404, title: "There is no such broker" },
  regulator_not_found: { status: 404, title: "There is no such regulator" },
  review_not_found: { status: 404, title: "There is no such review" },
  report_not_found: { status: 404, title: "There is no such report" },
  method_not_allowed: { status: 405, title: "The path does not have this method" },
  not_acceptable: { status: 406, title: "Only JSON is available" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  review_exists: { status: 409, title: "You already have a review of this broker" },
  report_exists: { status: 409, title: "You already have an open report about this review" },
  appeal_exists: { status: 409, title: "You already have an appeal against this decision" },
  state_conflict: { status: 409, title: "The state of the record does not allow this" },
  idempotency_in_progress: { status: 409, title: "A request with this idempotency key is still running" },
  content_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body has a media type or coding that is not accepted" },
  expectation_failed: { status: 417, title: "The expectation cannot be met" },
  idempotency_key_reused: { status: 422, title: "The idempotency key belongs to another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The headers are too large" },
  internal_error: { status: 500, title: "The server failed" },
  unavailable: { status: 503, title: "The service is not available for a moment" },
} as const;

/**
 * Stable code of an error answer.
 * @example const retryable: ProblemCode[] = ['rate_limited', 'unavailable'];
 */
export type ProblemCode = keyof typeof PROBLEMS;
