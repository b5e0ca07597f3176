import { ApiCall, failed, type SafeResult, succeeded } from './calls.ts';
import { InvalidResponseError } from './errors.ts';
import type { Answered } from './exchange.ts';

/** As far as lists of all kinds are alike. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination?: { readonly total?: number; readonly nextCursor?: string | null };
}

/** Where the first page begins. */
interface Start {
  /** Items skipped before it. */
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Makes the same call for another page. */
type Turn<T> = (place: { offset: number } | { cursor: string }) => Promise<Answered<T>>;

/** Generators of the pages of a list, each from the first one. */
export type Pages<T> = () => AsyncGenerator<Answered<T>, void, undefined>;

/** Turns pages, as they are asked for. */
export const turning = <T>(first: Promise<Answered<T>>, turn: Turn<T>, start: Start = {}): Pages<T> =>
  async function* () {
    const cursors = new Set<string | undefined>([start.cursor]);
    let offset = start.offset ?? 0;
    let page = await first;
    for (;;) {
      yield page;
      const { data, pagination: { total = 0, nextCursor } = {} } = page.data as Page<unknown>;
      offset += data.length;
      if (nextCursor) {
        if (cursors.has(nextCursor))
          throw new InvalidResponseError('a cursor that came before', page.request, page.response);
        cursors.add(nextCursor);
        page = await turn({ cursor: nextCursor });
      } else if (data.length > 0 && offset < total) page = await turn({ offset });
      else return;
    }
  };

/** Every item with the answer it came in. */
async function* itemsOf<T, Item>(pages: Pages<T>): AsyncGenerator<Answered<Item>, void, undefined> {
  const seen = new Set<unknown>();
  for await (const page of pages()) {
    const { data: items, pagination } = page.data as Page<Item>;
    for (const data of items) {
      // Only pages by offset have a total. By cursor nothing moves, and a long read need not remember all.
      const { id } = data as { id?: string };
      if (pagination?.total && id !== undefined) {
        if (seen.has(id)) continue;
        seen.add(id);
      }
      yield { ...page, data };
    }
  }
}

/** All items, with the answer that the first page came in. */
const collect = async <T, Item>(
  first: Promise<Answered<T>>,
  pages: Pages<T>,
  { limit = Number.POSITIVE_INFINITY }: CollectOptions = {},
): Promise<Answered<Item[]>> => {
  const answer = await first;
  if (!(limit >= 0)) throw new RangeError('limit must be 0 or more');
  const items: Item[] = [];
  if (limit > 0) for await (const { data } of itemsOf<T, Item>(pages)) if (items.push(data) >= limit) break;
  return { ...answer, data: items };
};

async function* dataOf<T>(answers: AsyncIterable<Answered<T>>): AsyncGenerator<T, void, undefined> {
  for await (const { data } of answers) yield data;
}

/** Ends with the error, where there is one. */
async function* settled<T, E>(answers: AsyncIterable<Answered<T>>): AsyncGenerator<SafeResult<T, E>, void, undefined> {
  try {
    for await (const answer of answers) yield succeeded(answer);
  } catch (error) {
    yield failed(error);
  }
}

/**
 * How much of a list to collect.
 * @example const best = await client.brokers.list({ limit: 100 }).toArray({ limit: 250 } satisfies CollectOptions);
 */
export interface CollectOptions {
  /** How many items at most; all by default. */
  readonly limit?: number | undefined;
}

/**
 * A list to come: await it for one page, or iterate over all items. Further pages are asked for as they are needed,
 * each with the call's own options.
 * @example for await (const broker of client.brokers.list({ color: 'green', limit: 100 })) console.log(broker.name);
 */
export class ListCall<T, Item> extends ApiCall<T> implements AsyncIterable<Item> {
  /**
   * All items from this page on. By offset, what moves to a later page while they are read is not given twice; what
   * moves to an earlier one can be missed.
   */
  readonly [Symbol.asyncIterator]!: () => AsyncGenerator<Item, void, undefined>;
  /**
   * The pages from this one on, as they came.
   * @example for await (const { data, pagination } of client.news.list().pages()) console.log(data.length, pagination);
   */
  readonly pages: () => AsyncGenerator<T, void, undefined>;
  /**
   * The items from this page on as an array. The query's `limit` is the size of a page, this one that of the array.
   * @throws RangeError for a limit below 0
   * @example const best = await client.brokers.list({ limit: 100 }).toArray({ limit: 250 });
   */
  readonly toArray: (options?: CollectOptions) => Promise<Item[]>;

  constructor(first: Promise<Answered<T>>, pages: Pages<T>) {
    super(() => first);
    this[Symbol.asyncIterator] = () => dataOf(itemsOf<T, Item>(pages));
    this.pages = () => dataOf(pages());
    this.toArray = async (options) => (await collect<T, Item>(first, pages, options)).data;
  }
}

/**
 * A list of `client.safe` to come: one page as a result, or the items as results. An error is the last of them.
 * @example
 * for await (const { data: broker, error } of client.safe.brokers.list()) {
 *   if (error !== undefined) console.error(error.code);
 *   else console.log(broker.name);
 * }
 */
export interface SafeListCall<T, Item, E> extends Promise<SafeResult<T, E>>, AsyncIterable<SafeResult<Item, E>> {
  /** All items from this page on, each a result. */
  [Symbol.asyncIterator](): AsyncGenerator<SafeResult<Item, E>, void, undefined>;
  /** The pages from this one on, each a result. */
  pages(): AsyncGenerator<SafeResult<T, E>, void, undefined>;
  /** The items from this page on as an array; the response is that of the first page. */
  toArray(options?: CollectOptions): Promise<SafeResult<Item[], E>>;
}

/** A list whose errors are results. */
export const safeList = <T, Item, E>(first: Promise<Answered<T>>, pages: Pages<T>): SafeListCall<T, Item, E> => {
  // Made when it is awaited: who iterates leaves no rejection that nobody handles.
  const result = async () => ({ data: await first.then(succeeded<T, E>, failed<T, E>) }) as Answered<SafeResult<T, E>>;
  return Object.assign(new ApiCall(result), {
    [Symbol.asyncIterator]: () => settled<Item, E>(itemsOf(pages)),
    pages: () => settled<T, E>(pages()),
    toArray: (options?: CollectOptions) =>
      collect<T, Item>(first, pages, options).then(succeeded<Item[], E>, failed<Item[], E>),
  });
};
