import type { ApiResponse } from './api-response.ts';
import { RequestError } from './errors.ts';

/**
 * A call in progress. It is a promise of the body; `withResponse` gives the response too. In tests, any object of this
 * shape can replace a call.
 * @example const { data, response } = await client.brokers.get('alpha-markets').withResponse();
 */
export class ApiCall<T> extends Promise<T> {
  /** Makes `finally` return an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * Resolves with the body and the platform's `Response`, for its status and headers. An error has the response as
   * `error.response`.
   * @example (await client.news.list().withResponse()).response.headers.get('x-request-id')
   */
  declare readonly withResponse: () => Promise<ApiResponse<T>>;

  /**
   * @param answered gives the promise behind the call. It runs only on demand, so that a caller who awaits only
   * `withResponse` leaves no unhandled rejection
   */
  constructor(answered: () => Promise<ApiResponse<T>>) {
    super(() => {});
    this.withResponse = answered;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then<A = T, B = never>(
    onAnswer?: ((body: T) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as Promise has it.
    onError?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse().then(
      onAnswer ? ({ data }) => onAnswer(data) : ({ data }) => data as unknown as A,
      onError,
    );
  }
}

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
