import { BrokerTransparencyError } from './errors.ts';
import type { Answered } from './exchange.ts';

/**
 * The answer of a call to come. It is a promise of the body; `withResponse` gives the response too.
 * @example const { data, response } = await client.brokers.get('alpha-markets').withResponse();
 */
export class ApiCall<T> extends Promise<T> {
  /** What `finally` makes is an ordinary promise. */
  static override get [Symbol.species]() {
    return Promise;
  }

  // Everything waits for this one alone: else a caller of `withResponse` would leave a rejection that nobody handles.
  readonly #answered: Promise<Answered<T>>;

  constructor(answered: Promise<Answered<T>>) {
    super(() => {});
    this.#answered = answered;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then<A = T, B = never>(
    onAnswer?: ((body: T) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as Promise has it.
    onError?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered.then(onAnswer ? ({ data }) => onAnswer(data) : ({ data }) => data as unknown as A, onError);
  }

  /**
   * The body with the platform's response: status and headers. Errors have it as `error.response`.
   * @example (await client.news.list().withResponse()).response.headers.get('x-request-id')
   */
  withResponse(): Promise<Answered<T>> {
    return this.#answered;
  }
}

/**
 * What a call of `client.safe` gives: `error` is undefined, or else `data` is.
 * @example const result: SafeResult<BrokerList, ApiError> = await client.safe.brokers.list();
 */
export type SafeResult<T, E> =
  | { readonly data: T; readonly error: undefined; readonly response: Response }
  | { readonly data: undefined; readonly error: E; readonly response: Response | undefined };

/**
 * Takes errors as results.
 * @throws the caller's abort reason, and what shows a mistake in the calling code
 */
export const settle = <T>(call: ApiCall<T>): Promise<SafeResult<T, BrokerTransparencyError>> =>
  call.withResponse().then(
    ({ data, response }) => ({ data, error: undefined, response }),
    (error) => {
      if (!(error instanceof BrokerTransparencyError)) throw error;
      return { data: undefined, error, response: error.response };
    },
  );
