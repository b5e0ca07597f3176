import { BrokerTransparencyError } from './errors.ts';
import type { Answered } from './exchange.ts';

/**
 * The answer of a call to come. It is a promise of the body; `withResponse` gives the response too. Any object of this
 * shape can stand in for a call in tests.
 * @example const { data, response } = await client.brokers.get('alpha-markets').withResponse();
 */
export class ApiCall<T> extends Promise<T> {
  /** What `finally` makes is an ordinary promise. */
  static override get [Symbol.species]() {
    return Promise;
  }

  /**
   * The body with the platform's response: status and headers. Errors have it as `error.response`.
   * @example (await client.news.list().withResponse()).response.headers.get('x-request-id')
   */
  readonly withResponse: () => Promise<Answered<T>>;

  /** @param answered what everything waits for: who takes the response leaves no rejection that nobody handles */
  constructor(answered: () => Promise<Answered<T>>) {
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
 * What a call of `client.safe` gives: `error` is undefined, or else `data` is.
 * @example const result: SafeResult<BrokerList, ApiError> = await client.safe.brokers.list();
 */
export type SafeResult<T, E> =
  | { readonly data: T; readonly error: undefined; readonly response: Response }
  | { readonly data: undefined; readonly error: E; readonly response: Response | undefined };

/** A good answer as a result. */
export const succeeded = <T, E>({ data, response }: Answered<T>): SafeResult<T, E> => ({
  data,
  error: undefined,
  response,
});

/** An error as a result. @throws the caller's abort reason, and what shows a mistake in the calling code */
export const failed = <T, E>(error: unknown): SafeResult<T, E> => {
  if (!(error instanceof BrokerTransparencyError)) throw error;
  return { data: undefined, error: error as E, response: error.response };
};
