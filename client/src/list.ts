import type { ApiResponse } from './api-response.ts';
import { type ApiCall, createApiCall, failed, type SafeResult, succeeded } from './calls.ts';
import { InvalidResponseError } from './errors.ts';

/** The fields that all kinds of lists share. */
interface PageFields<Item> {
  readonly data: readonly Item[];
  readonly pagination?: { readonly total?: number; readonly nextCursor?: string | null };
  readonly updates?: { readonly next?: number; readonly more?: boolean };
}

/** The start of a list. */
interface ListStart {
  /** Number of items before the first page. */
  readonly offset?: number;
  readonly cursor?: string;
  readonly updatedSince?: number;
}

/** Returns a generator of the pages of a list, which begins at the first page. */
export type Pages<T> = () => AsyncGenerator<ApiResponse<T>, void, undefined>;

/** Sends the request of a call with these arguments. */
export type CallSender<T = unknown> = (args: readonly unknown[]) => Promise<ApiResponse<T>>;

/** Gives the first page to a caller who reads further ones too. */
export type FirstPage<T = unknown> = () => Promise<ApiResponse<T>>;

/** Returns the pages of a list from the first one on, which the arguments asked for. */
export type PagesFactory<T = unknown> = (
  begin: FirstPage<T>,
  args: readonly unknown[],
  answered: CallSender<T>,
) => Pages<T>;

/** Requests each further page when the reader asks for it. The query comes first among the arguments. */
export const turnPages: PagesFactory = (begin, args, answered) =>
  async function* () {
    const [query = {}, ...rest] = args as [ListStart?, ...unknown[]];
    const turn = (place: ListStart) => answered([{ ...query, ...place }, ...rest]);
    const cursors = new Set<unknown>([query.cursor]);
    let offset = query.offset ?? 0;
    let page = await begin();
    for (;;) {
      yield page;
      const {
        data,
        pagination: { total = 0, nextCursor } = {},
        updates: { more, next } = {},
      } = page.data as PageFields<unknown>;
      offset += data.length;
      const cursor = more ? next : nextCursor;
      if (cursor) {
        if (cursors.has(cursor))
          throw new InvalidResponseError('a cursor that came before', page.request, page.response);
        cursors.add(cursor);
        page = await turn({ [more ? 'updatedSince' : 'cursor']: cursor });
      } else if (data.length > 0 && offset < total) page = await turn({ offset });
      else return;
    }
  };

/** Yields every item together with the answer that contained it. */
async function* readItems<T, Item>(pages: Pages<T>): AsyncGenerator<ApiResponse<Item>, void, undefined> {
  const seen = new Set<unknown>();
  for await (const page of pages()) {
    const { data: items, pagination, updates } = page.data as PageFields<Item>;
    for (const data of items) {
      // Only pages by offset have a total. With a cursor no item moves between pages, so a long read need not remember
      // ids. A list of updates repeats an item that changed since its page.
      const { id } = data as { id?: string };
      if (!updates && pagination?.total && id) {
        if (seen.has(id)) continue;
        seen.add(id);
      }
      yield { ...page, data };
    }
  }
}

/** Collects all items, with the response of the first page. */
const collectItems = async <T, Item>(
  begin: FirstPage<T>,
  pages: Pages<T>,
  { limit = Infinity }: CollectOptions = {},
): Promise<ApiResponse<Item[]>> => {
  const answer = await begin();
  if (!(limit >= 0)) throw new RangeError('limit must be 0 or more');
  const items: Item[] = [];
  if (limit > 0) for await (const { data } of readItems<T, Item>(pages)) if (items.push(data) >= limit) break;
  return { ...answer, data: items };
};

async function* readData<T>(answers: AsyncIterable<ApiResponse<T>>): AsyncGenerator<T, void, undefined> {
  for await (const { data } of answers) yield data;
}

/** Yields results. If an error occurs, it is the last result. */
async function* toResults<T, E>(
  answers: AsyncIterable<ApiResponse<T>>,
): AsyncGenerator<SafeResult<T, E>, void, undefined> {
  try {
    for await (const answer of answers) yield succeeded(answer);
  } catch (error) {
    yield failed(error);
  }
}

/**
 * Options for collecting a list.
 * @example const best = await client.brokers.list({ limit: 100 }).toArray({ limit: 250 } satisfies CollectOptions);
 */
export interface CollectOptions {
  /** Maximum number of items; all by default. */
  readonly limit?: number | undefined;
}

/**
 * A list. Awaiting it gives one page; iterating over it gives all items. It requests further pages as they are needed,
 * with the options of the call.
 * @example for await (const broker of client.brokers.list({ color: 'green', limit: 100 })) console.log(broker.name);
 */
export interface ListCall<T, Item> extends ApiCall<T>, AsyncIterable<Item> {
  /**
   * Iterates over all items from this page on. In a list by offset, items can move between pages while they are read:
   * an item that moves to a later page is not repeated, but one that moves to an earlier page can be missed. A list
   * with `updatedSince` misses none, and repeats a broker that changes meanwhile.
   */
  readonly [Symbol.asyncIterator]: () => AsyncGenerator<Item, void, undefined>;
  /**
   * Iterates over the pages from this one on, each as the API sent it.
   * @example for await (const { data, pagination } of client.news.list().pages()) console.log(data.length, pagination);
   */
  readonly pages: () => AsyncGenerator<T, void, undefined>;
  /**
   * Collects the items from this page on in an array. The query's `limit` is the size of a page; the `limit` here is
   * the size of the array.
   * @throws RangeError if the limit is negative
   * @example const best = await client.brokers.list({ limit: 100 }).toArray({ limit: 250 });
   */
  readonly toArray: (options?: CollectOptions) => Promise<Item[]>;
}

/**
 * A list of `client.safe`. Awaiting it gives one page as a result; iterating over it gives each item as a result. If an
 * error occurs, it is the last result.
 * @example
 * for await (const { data: broker, error } of client.safe.brokers.list()) {
 *   if (error !== undefined) console.error(error.code);
 *   else console.log(broker.name);
 * }
 */
export interface SafeListCall<T, Item, E> extends Promise<SafeResult<T, E>>, AsyncIterable<SafeResult<Item, E>> {
  /** Iterates over all items from this page on, each as a result. */
  [Symbol.asyncIterator](): AsyncGenerator<SafeResult<Item, E>, void, undefined>;
  /** Iterates over the pages from this one on, each as a result. */
  pages(): AsyncGenerator<SafeResult<T, E>, void, undefined>;
  /** Collects the items from this page on in an array. The response is that of the first page. */
  toArray(options?: CollectOptions): Promise<SafeResult<Item[], E>>;
}

/** Says in which form callers get answers and errors. */
export interface CallingStyle {
  readonly give: (call: ApiCall<unknown>) => Promise<unknown>;
  readonly iterate: (answers: AsyncIterable<ApiResponse>) => AsyncGenerator<unknown, void, undefined>;
}

/** The style of a client's own calls: they throw errors. */
export const THROWING: CallingStyle = { give: (call) => call, iterate: readData };

/** The style of `client.safe`: its calls return errors. */
export const SAFE: CallingStyle = { give: (call) => call.withResponse().then(succeeded, failed), iterate: toResults };

/** Creates a list, such as a {@link ListCall}. */
export const createList = (
  { give, iterate }: CallingStyle,
  first: ApiCall<unknown>,
  begin: FirstPage,
  pages: Pages<unknown>,
): unknown => {
  const page = give(first);
  // a caller of `client.safe` who iterates gets the error of the first page there
  if (page !== first) page.catch(() => {});
  return Object.assign(page, {
    [Symbol.asyncIterator]: () => iterate(readItems(pages)),
    pages: () => iterate(pages()),
    toArray: (options?: CollectOptions) => give(createApiCall(collectItems(begin, pages, options))),
  });
};
