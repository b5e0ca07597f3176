import type { ApiResponse } from './api-response.ts';
import { RequestError } from './errors.ts';

/**
 * A call in progress. It is a promise of the body; `withResponse` gives the response too. In tests, any object of this
 * shape can replace a call.
 * @example const { data, response } = await client.brokers.get('alpha-markets').withResponse();
 */
export interface ApiCall<T> extends Promise<T> {
  /**
   * Resolves with the body and the platform's `Response`, for its status and headers. An error has the response as
   * `error.response`.
   * @example (await client.news.list().withResponse()).response.headers.get('x-request-id')
   */
  readonly withResponse: () => Promise<ApiResponse<T>>;
}

/**
 * Makes a call of the promise of its answer. Each promise comes from the one before it alone. V8 can thus tell who
 * awaits the last one, and a caller who awaits only `withResponse` leaves no unhandled rejection.
 */
export const createApiCall = <T>(answer: Promise<ApiResponse<T>>): ApiCall<T> => {
  const body = answer.then(({ data }) => data);
  return Object.assign(body, { withResponse: () => body.then(() => answer) });
};

/**
 * The result of a call of `client.safe`. Either `error` or `data` is undefined.
 * @example const result: SafeResult<BrokerList, ApiError> = await client.safe.brokers.list();
 */
export type SafeResult<T, E> =
  | { readonly data: T; readonly error: undefined; readonly response: Response }
  | { readonly data: undefined; readonly error: E; readonly response: Response | undefined };

/** Wraps a successful answer in a result. */
export const succeeded = <T, E>({ data, response }: ApiResponse<T>): SafeResult<T, E> => ({
  data,
  error: undefined,
  response,
});

/**
 * Wraps an error in a result.
 * @throws the caller's abort reason, and any error that shows a mistake in the calling code
 */
export const failed = <T, E>(error: unknown): SafeResult<T, E> => {
  if (!(error instanceof RequestError)) throw error;
  return { data: undefined, error: error as E, response: error.response };
};
