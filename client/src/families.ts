import { InvalidResponseError } from './errors.ts';
import { type CallingStyle, type PagesFactory, SAFE, THROWING, turnPages } from './list.ts';
import { createCall, mapRoutes, type RouteTree } from './operations.ts';
import type { CallOptions } from './options.ts';
import type { RateLimit } from './rate-limit.ts';
import { type CallRoute, createPreparer, type PreparedRequest } from './request.ts';
import type { Settings } from './settings.ts';

/**
 * Calls that a client can have besides its own. They share its options, hooks and errors.
 * @example const families: Family[] = [record(), account()];
 */
export interface Family<Name extends string = string, Throwing = unknown, Safe = unknown> {
  /** The property of the client that has the calls. */
  readonly name: Name;
  /** Gives a client the calls. `createClient` calls this. */
  readonly connect: (settings: Settings, client: object) => FamilyCalls<Throwing, Safe>;
}

/** The calls of a family in both calling styles. */
export interface FamilyCalls<Throwing, Safe> {
  readonly throwing: Throwing;
  readonly safe: Safe;
}

/**
 * The request budget of a family.
 * @example const show = ({ rateLimit }: FamilyBudget) => console.log(rateLimit?.remaining);
 */
export interface FamilyBudget {
  /** The current request budget of these calls; undefined before the first answer. */
  readonly rateLimit: RateLimit | undefined;
}

/** Creates a family. `connect` throws a TypeError if the client has its calls already. */
export const createFamily = <Name extends string, Throwing, Safe>(
  name: Name,
  create: (settings: Settings) => FamilyCalls<Throwing, Safe>,
): Family<Name, Throwing, Safe> => ({
  name,
  connect: (settings, client) => {
    if (name in client) throw new TypeError(`with has the family ${name} twice`);
    const calls = create(settings);
    Object.assign((client as { readonly safe: object }).safe, { [name]: calls.safe });
    Object.assign(client, { [name]: calls.throwing });
    return calls;
  },
});

/** The fields of a page that a number leads on from. */
interface NumberedPage {
  readonly next: number | null;
}

/**
 * Requests each further page when the reader asks for it. With `before` there is one page: the last steps before it.
 * @param at place of the query among the arguments
 */
const turnByNumber =
  (at: number): PagesFactory =>
  (begin, args, answered) =>
    async function* () {
      const query = args[at] as { before?: number } | undefined;
      let page = await begin();
      for (let last = -1; ; ) {
        yield page;
        const { next } = page.data as NumberedPage;
        if (next === null || query?.before !== undefined) return;
        if (!(next > last)) throw new InvalidResponseError('a page that came before', page.request, page.response);
        last = next;
        page = await answered(args.slice(0, at).concat({ ...query, from: next }, args.slice(at + 1)));
      }
    };

/**
 * Returns a function that builds the requests of a family's call. A number can stand in the path, a call that could
 * have a second effect is sent again only if its own options say so, and a call that needs time gets it.
 */
const createFamilyPreparer = (
  name: string,
  route: CallRoute,
  settings: Settings,
  findLeastMs: FamilyParts['findLeastMs'],
) => {
  const prepare = createPreparer(name, route, settings);
  const places = countPathParameters(route);
  const optionsAt = places + Number(route.body ?? false) + Number(route.query ?? false);
  return (args: readonly unknown[]): PreparedRequest => {
    const prepared = prepare(
      args.map((value, at) => (at < places && typeof value === 'number' ? String(value) : value)),
    );
    const { limits } = prepared;
    const given = args[optionsAt] as CallOptions | undefined;
    const leastMs = findLeastMs?.(name, args) ?? 0;
    return {
      ...prepared,
      limits: {
        ...limits,
        timeoutMs: given?.timeoutMs ?? Math.max(limits.timeoutMs, leastMs),
        tryTimeoutMs: given?.tryTimeoutMs ?? Math.max(limits.tryTimeoutMs, leastMs),
        retries: given?.retries ?? (route.once ? 0 : limits.retries),
      },
    };
  };
};

const countPathParameters = ({ path }: CallRoute): number => path.split('{').length - 1;

/** The parts in which families differ. */
interface FamilyParts {
  readonly name: string;
  /** Path of its API, such as `/enterprise/v1`. */
  readonly api: string;
  readonly routes: RouteTree;
  readonly settings: Settings;
  /** Settings of the calls that count against the budget of the client's own calls, if these are others. */
  readonly publicSettings?: Settings;
  /** Returns the settings of a call that needs others. */
  readonly adapt?: (route: CallRoute, settings: Settings) => Settings | undefined;
  /** Returns the milliseconds that a call and each of its tries need at least, by its name and arguments. */
  readonly findLeastMs?: (call: string, args: readonly unknown[]) => number;
}

/** Creates the calls of a family. */
export const createFamilyCalls = <Throwing, Safe>(parts: FamilyParts): FamilyCalls<Throwing, Safe> => {
  const { name: family, api, routes, settings, publicSettings = settings, adapt, findLeastMs } = parts;
  const calls = (style: CallingStyle) =>
    mapRoutes(
      routes,
      (name, route) => {
        const chosen = route.public ? publicSettings : settings;
        const used = adapt?.(route, chosen) ?? chosen;
        const pages = route.list === 'from' ? turnByNumber(countPathParameters(route)) : route.list && turnPages;
        return createCall(createFamilyPreparer(name, { ...route, api }, used, findLeastMs), used, style, pages);
      },
      `${family}.`,
    );
  const budget: FamilyBudget = {
    get rateLimit() {
      return settings.rateLimiter.state;
    },
  };
  return {
    throwing: Object.assign(budget, calls(THROWING)) as Throwing,
    safe: calls(SAFE) as Safe,
  };
};
