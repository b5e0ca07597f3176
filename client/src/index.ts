export { ApiError, type FutureCode } from './api-error.ts';
export { type Client, createClient } from './client.ts';
export {
  BrokerTransparencyError,
  ConnectionError,
  InvalidResponseError,
  type ReceivedResponse,
  type SentRequest,
  TimeoutError,
} from './errors.ts';
export type * from './generated/api.ts';
export * from './generated/errors.ts';
export { PROBLEMS, type ProblemCode } from './generated/problems.ts';
export type { CallOptions, ClientOptions, Fetch, WriteOptions } from './options.ts';
