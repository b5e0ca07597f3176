// Made from the contract by `pnpm generate`. Do not edit.

import { errorClass } from '../error-class.ts';
import type { ProblemError } from '../errors.ts';

/**
 * 400 `invalid_request`: The request is not valid. Each entry of `errors` names a query parameter, a header or a JSON pointer into the body, and says what is expected there. Correct it and send the request again.
 * @example if (error instanceof InvalidRequestError) console.error(error.detail);
 */
export const InvalidRequestError = /* @__PURE__ */ errorClass<InvalidRequestError>('invalid_request');
/** Error of the class {@link InvalidRequestError}. */
export interface InvalidRequestError extends ProblemError<'invalid_request', 400> {}

/**
 * 400 `malformed_json`: The body is not JSON. Send one JSON object, encoded as UTF-8.
 * @example if (error instanceof MalformedJsonError) console.error(error.detail);
 */
export const MalformedJsonError = /* @__PURE__ */ errorClass<MalformedJsonError>('malformed_json');
/** Error of the class {@link MalformedJsonError}. */
export interface MalformedJsonError extends ProblemError<'malformed_json', 400> {}

/**
 * 400 `bad_request`: The request is not valid HTTP. The bytes sent do not form an HTTP/1.1 request that this server accepts. Check the request line, the Host header and the framing of the body.
 * @example if (error instanceof BadRequestError) console.error(error.detail);
 */
export const BadRequestError = /* @__PURE__ */ errorClass<BadRequestError>('bad_request');
/** Error of the class {@link BadRequestError}. */
export interface BadRequestError extends ProblemError<'bad_request', 400> {}

/**
 * 401 `authentication_required`: Authentication is required. Send `Authorization: Bearer <token>` with a token issued by the operator. Tokens in the query or the body are ignored.
 * @example if (error instanceof AuthenticationRequiredError) console.error(error.detail);
 */
export const AuthenticationRequiredError = /* @__PURE__ */ errorClass<AuthenticationRequiredError>('authentication_required');
/** Error of the class {@link AuthenticationRequiredError}. */
export interface AuthenticationRequiredError extends ProblemError<'authentication_required', 401> {}

/**
 * 401 `invalid_token`: The token is not valid. The token is malformed, unknown, expired or revoked. Ask the operator for a new one.
 * @example if (error instanceof InvalidTokenError) console.error(error.detail);
 */
export const InvalidTokenError = /* @__PURE__ */ errorClass<InvalidTokenError>('invalid_token');
/** Error of the class {@link InvalidTokenError}. */
export interface InvalidTokenError extends ProblemError<'invalid_token', 401> {}

/**
 * 403 `insufficient_scope`: The token lacks a scope. The scope that is needed stands in `WWW-Authenticate` and in `detail`. Ask the operator for a token that has it.
 * @example if (error instanceof InsufficientScopeError) console.error(error.detail);
 */
export const InsufficientScopeError = /* @__PURE__ */ errorClass<InsufficientScopeError>('insufficient_scope');
/** Error of the class {@link InsufficientScopeError}. */
export interface InsufficientScopeError extends ProblemError<'insufficient_scope', 403> {}

/**
 * 403 `kyc_required`: Identity verification is required. Reviews are accepted only from people whose identity is verified (KYC). Complete the verification with the operator, then send the request again with the same token.
 * @example if (error instanceof KycRequiredError) console.error(error.detail);
 */
export const KycRequiredError = /* @__PURE__ */ errorClass<KycRequiredError>('kyc_required');
/** Error of the class {@link KycRequiredError}. */
export interface KycRequiredError extends ProblemError<'kyc_required', 403> {}

/**
 * 404 `not_found`: There is nothing at this path. Paths are case-sensitive, have no trailing slash and start with /api/v1. The reference lists them all.
 * @example if (error instanceof NotFoundError) console.error(error.detail);
 */
export const NotFoundError = /* @__PURE__ */ errorClass<NotFoundError>('not_found');
/** Error of the class {@link NotFoundError}. */
export interface NotFoundError extends ProblemError<'not_found', 404> {}

/**
 * 404 `broker_not_found`: There is no such broker. Find the slug with GET /search or GET /brokers.
 * @example if (error instanceof BrokerNotFoundError) console.error(error.detail);
 */
export const BrokerNotFoundError = /* @__PURE__ */ errorClass<BrokerNotFoundError>('broker_not_found');
/** Error of the class {@link BrokerNotFoundError}. */
export interface BrokerNotFoundError extends ProblemError<'broker_not_found', 404> {}

/**
 * 404 `regulator_not_found`: There is no such regulator. Find the code with GET /regulators.
 * @example if (error instanceof RegulatorNotFoundError) console.error(error.detail);
 */
export const RegulatorNotFoundError = /* @__PURE__ */ errorClass<RegulatorNotFoundError>('regulator_not_found');
/** Error of the class {@link RegulatorNotFoundError}. */
export interface RegulatorNotFoundError extends ProblemError<'regulator_not_found', 404> {}

/**
 * 404 `review_not_found`: There is no such review. Take the id of a published review from GET /reviews, or of your own from your account.
 * @example if (error instanceof ReviewNotFoundError) console.error(error.detail);
 */
export const ReviewNotFoundError = /* @__PURE__ */ errorClass<ReviewNotFoundError>('review_not_found');
/** Error of the class {@link ReviewNotFoundError}. */
export interface ReviewNotFoundError extends ProblemError<'review_not_found', 404> {}

/**
 * 404 `report_not_found`: There is no such report. Take the id from the list of your own reports.
 * @example if (error instanceof ReportNotFoundError) console.error(error.detail);
 */
export const ReportNotFoundError = /* @__PURE__ */ errorClass<ReportNotFoundError>('report_not_found');
/** Error of the class {@link ReportNotFoundError}. */
export interface ReportNotFoundError extends ProblemError<'report_not_found', 404> {}

/**
 * 405 `method_not_allowed`: The path does not have this method. Use one of the methods in the `Allow` header.
 * @example if (error instanceof MethodNotAllowedError) console.error(error.detail);
 */
export const MethodNotAllowedError = /* @__PURE__ */ errorClass<MethodNotAllowedError>('method_not_allowed');
/** Error of the class {@link MethodNotAllowedError}. */
export interface MethodNotAllowedError extends ProblemError<'method_not_allowed', 405> {}

/**
 * 406 `not_acceptable`: Only JSON is available. Accept application/json (and application/problem+json), or leave the Accept header out.
 * @example if (error instanceof NotAcceptableError) console.error(error.detail);
 */
export const NotAcceptableError = /* @__PURE__ */ errorClass<NotAcceptableError>('not_acceptable');
/** Error of the class {@link NotAcceptableError}. */
export interface NotAcceptableError extends ProblemError<'not_acceptable', 406> {}

/**
 * 408 `request_timeout`: The request took too long to arrive. Headers must arrive within 10 seconds and the whole request within 15. Send it again.
 * @example if (error instanceof RequestTimeoutError) console.error(error.detail);
 */
export const RequestTimeoutError = /* @__PURE__ */ errorClass<RequestTimeoutError>('request_timeout');
/** Error of the class {@link RequestTimeoutError}. */
export interface RequestTimeoutError extends ProblemError<'request_timeout', 408> {}

/**
 * 409 `review_exists`: You already have a review of this broker. A person has one live review per broker. Withdraw the other one first.
 * @example if (error instanceof ReviewExistsError) console.error(error.detail);
 */
export const ReviewExistsError = /* @__PURE__ */ errorClass<ReviewExistsError>('review_exists');
/** Error of the class {@link ReviewExistsError}. */
export interface ReviewExistsError extends ProblemError<'review_exists', 409> {}

/**
 * 409 `report_exists`: You already have an open report about this review. It waits for a decision. The list of your own reports shows it.
 * @example if (error instanceof ReportExistsError) console.error(error.detail);
 */
export const ReportExistsError = /* @__PURE__ */ errorClass<ReportExistsError>('report_exists');
/** Error of the class {@link ReportExistsError}. */
export interface ReportExistsError extends ProblemError<'report_exists', 409> {}

/**
 * 409 `appeal_exists`: You already have an appeal against this decision. A decision can be appealed once. The list of your own reviews or reports shows what came of it.
 * @example if (error instanceof AppealExistsError) console.error(error.detail);
 */
export const AppealExistsError = /* @__PURE__ */ errorClass<AppealExistsError>('appeal_exists');
/** Error of the class {@link AppealExistsError}. */
export interface AppealExistsError extends ProblemError<'appeal_exists', 409> {}

/**
 * 409 `state_conflict`: The state of the record does not allow this. The detail says in which state it is and what is possible from there.
 * @example if (error instanceof StateConflictError) console.error(error.detail);
 */
export const StateConflictError = /* @__PURE__ */ errorClass<StateConflictError>('state_conflict');
/** Error of the class {@link StateConflictError}. */
export interface StateConflictError extends ProblemError<'state_conflict', 409> {}

/**
 * 409 `idempotency_in_progress`: A request with this idempotency key is still running. Wait for a second and send the same request with the same key again: it answers with the stored result.
 * @example if (error instanceof IdempotencyInProgressError) console.error(error.detail);
 */
export const IdempotencyInProgressError = /* @__PURE__ */ errorClass<IdempotencyInProgressError>('idempotency_in_progress');
/** Error of the class {@link IdempotencyInProgressError}. */
export interface IdempotencyInProgressError extends ProblemError<'idempotency_in_progress', 409> {}

/**
 * 413 `content_too_large`: The body is too large. Bodies have at most 64 kB.
 * @example if (error instanceof ContentTooLargeError) console.error(error.detail);
 */
export const ContentTooLargeError = /* @__PURE__ */ errorClass<ContentTooLargeError>('content_too_large');
/** Error of the class {@link ContentTooLargeError}. */
export interface ContentTooLargeError extends ProblemError<'content_too_large', 413> {}

/**
 * 415 `unsupported_media_type`: The body has a media type or coding that is not accepted. Send `Content-Type: application/json` in UTF-8, without Content-Encoding.
 * @example if (error instanceof UnsupportedMediaTypeError) console.error(error.detail);
 */
export const UnsupportedMediaTypeError = /* @__PURE__ */ errorClass<UnsupportedMediaTypeError>('unsupported_media_type');
/** Error of the class {@link UnsupportedMediaTypeError}. */
export interface UnsupportedMediaTypeError extends ProblemError<'unsupported_media_type', 415> {}

/**
 * 417 `expectation_failed`: The expectation cannot be met. Only `Expect: 100-continue` is understood.
 * @example if (error instanceof ExpectationFailedError) console.error(error.detail);
 */
export const ExpectationFailedError = /* @__PURE__ */ errorClass<ExpectationFailedError>('expectation_failed');
/** Error of the class {@link ExpectationFailedError}. */
export interface ExpectationFailedError extends ProblemError<'expectation_failed', 417> {}

/**
 * 422 `idempotency_key_reused`: The idempotency key belongs to another request. A key stands for one request body on one route for 24 hours. Use a new key for a new request.
 * @example if (error instanceof IdempotencyKeyReusedError) console.error(error.detail);
 */
export const IdempotencyKeyReusedError = /* @__PURE__ */ errorClass<IdempotencyKeyReusedError>('idempotency_key_reused');
/** Error of the class {@link IdempotencyKeyReusedError}. */
export interface IdempotencyKeyReusedError extends ProblemError<'idempotency_key_reused', 422> {}

/**
 * 429 `rate_limited`: Too many requests. Wait for the seconds in `Retry-After`. `RateLimit` on every answer tells what is left.
 * @example if (error instanceof RateLimitError) console.error(error.detail);
 */
export const RateLimitError = /* @__PURE__ */ errorClass<RateLimitError>('rate_limited');
/** Error of the class {@link RateLimitError}. */
export interface RateLimitError extends ProblemError<'rate_limited', 429> {}

/**
 * 431 `headers_too_large`: The headers are too large. Request line and headers have at most 16 kB together.
 * @example if (error instanceof HeadersTooLargeError) console.error(error.detail);
 */
export const HeadersTooLargeError = /* @__PURE__ */ errorClass<HeadersTooLargeError>('headers_too_large');
/** Error of the class {@link HeadersTooLargeError}. */
export interface HeadersTooLargeError extends ProblemError<'headers_too_large', 431> {}

/**
 * 500 `internal_error`: The server failed. This is a fault of the service. Report it with the `requestId`.
 * @example if (error instanceof InternalError) console.error(error.detail);
 */
export const InternalError = /* @__PURE__ */ errorClass<InternalError>('internal_error');
/** Error of the class {@link InternalError}. */
export interface InternalError extends ProblemError<'internal_error', 500> {}

/**
 * 503 `unavailable`: The service is not available for a moment. Send the request again after the seconds in `Retry-After`; a POST with the same Idempotency-Key, since its outcome may be unknown.
 * @example if (error instanceof UnavailableError) console.error(error.detail);
 */
export const UnavailableError = /* @__PURE__ */ errorClass<UnavailableError>('unavailable');
/** Error of the class {@link UnavailableError}. */
export interface UnavailableError extends ProblemError<'unavailable', 503> {}
