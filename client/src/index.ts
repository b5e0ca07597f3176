export type { AnswerVerifier } from './answer-verifier.ts';
export { ApiError, type FutureCode } from './api-error.ts';
export type { ApiResponse } from './api-response.ts';
export { BrokerTransparencyError } from './base-error.ts';
export type { ApiCall, SafeResult } from './calls.ts';
export { type Client, type ClientParts, type ClientWith, createClient } from './client.ts';
export {
  ConnectionError,
  InvalidResponseError,
  type ProblemBody,
  type ProblemError,
  RequestError,
  type SentRequest,
  TimeoutError,
} from './errors.ts';
export type { Family, FamilyBudget } from './families.ts';
export type * from './generated/api.ts';
export * from './generated/errors.ts';
export type { KnownApiError } from './generated/known-errors.ts';
export { PROBLEMS, type ProblemCode } from './generated/problems.ts';
export type { CallEvent, FailureEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.ts';
export type { CollectOptions, ListCall, SafeListCall } from './list.ts';
export { type Logger, logTo } from './logger.ts';
export type { CallError, Calls } from './operations.ts';
export type {
  CallOptions,
  ClientOptions,
  Fetch,
  FetchOptions,
  TokenFunction,
  WriteOptions,
} from './options.ts';
export type { RateLimit } from './rate-limit.ts';
export { type AnswerStore, type KeptAnswer, memoryStore } from './store.ts';
