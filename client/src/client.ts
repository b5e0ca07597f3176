import type { AnswerVerifier } from './answer-verifier.ts';
import type { Family } from './families.ts';
import type { Operations } from './generated/api.ts';
import { routes } from './generated/routes.ts';
import { type CallingStyle, SAFE, THROWING, turnPages } from './list.ts';
import { type Calls, createCall, mapRoutes } from './operations.ts';
import type { ClientOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';
import { createPreparer } from './request.ts';
import { createSettings } from './settings.ts';

/**
 * All calls of the API, in groups. Each resolves with the body of the answer, or rejects with a
 * {@link RequestError}.
 * @example const ratings = (client: Client) => client.brokers.list({ color: 'green' });
 */
export interface Client extends Calls<Operations, typeof routes, 'throwing'> {
  /**
   * The same calls, but they resolve with `{ data, error, response }`. They throw only for the caller's own mistakes
   * and with the caller's abort reason.
   * @example const { data, error } = await client.safe.brokers.get('alpha-markets');
   */
  readonly safe: Calls<Operations, typeof routes, 'safe'>;
  /** The current request budget; undefined before the first answer. */
  readonly rateLimit: RateLimit | undefined;
}

/**
 * A client with the calls of families besides its own.
 * @example const own = (client: ClientWith<ReturnType<typeof account>>) => client.account.reviews.list();
 */
export type ClientWith<F extends Family> = Client & {
  readonly [E in F as E['name']]: ReturnType<E['connect']>['throwing'];
} & { readonly safe: { readonly [E in F as E['name']]: ReturnType<E['connect']>['safe'] } };

/**
 * The parts that a client is given besides its options.
 * @example const parts: ClientParts<Family> = { with: [record()], verify: verifier(policy) };
 */
export interface ClientParts<F extends Family = never> {
  /** Families of calls that the client has besides its own, such as `record()`. */
  readonly with?: readonly F[] | undefined;
  /** Verifies the answers: `verifier(policy)` of the entry `/verify`. */
  readonly verify?: AnswerVerifier | undefined;
}

/**
 * Creates a client.
 * @throws TypeError if a family is given twice, if `baseUrl` is missing or is no address, or if `token` or a header
 *   cannot
 * be sent
 * @throws RangeError if `timeoutMs` or `tryTimeoutMs` is not above 0, or `retries` is negative
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });
 * const broker = await client.brokers.get('alpha-markets');
 */
export const createClient = <F extends Family = never>(
  options: ClientOptions & ClientParts<F>,
): [F] extends [never] ? Client : ClientWith<F> => {
  const settings = createSettings(options);
  settings.verify = options.verify?.connect(settings);
  const calls = (style: CallingStyle) =>
    mapRoutes(routes, (name, route) =>
      createCall(createPreparer(name, route, settings), settings, style, route.list && turnPages),
    );
  const client: Record<string, unknown> = {
    ...calls(THROWING),
    safe: calls(SAFE),
    get rateLimit() {
      return settings.rateLimiter.state;
    },
  };
  for (const { connect } of options.with ?? []) connect(settings, client);
  return client as never;
};
