import { ApiCall } from './calls.ts';
import { InvalidResponseError } from './errors.ts';
import type { Answered } from './exchange.ts';

/** As far as lists of all kinds are alike. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination?: { readonly total?: number; readonly nextCursor?: string | null };
}

/** Makes the same call for another page. */
export type Turn<T> = (place: { offset: number } | { cursor: string }) => Promise<Answered<T>>;

/** Where the first page begins. */
interface Start {
  /** Items skipped before it. */
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * A list to come: await it for one page, or iterate over all items. Further pages are asked for as they are needed, each
 * with the call's own options.
 * @example for await (const broker of client.brokers.list({ color: 'green', limit: 100 })) console.log(broker.name);
 */
export class ListCall<T, Item> extends ApiCall<T> implements AsyncIterable<Item> {
  readonly #turn: Turn<T>;
  readonly #start: Start;

  constructor(first: Promise<Answered<T>>, turn: Turn<T>, start: Start) {
    super(first);
    this.#turn = turn;
    this.#start = start;
  }

  /**
   * All items from this page on. By offset, what moves to a later page while they are read is not given twice; what moves
   * to an earlier one can be missed.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<unknown>();
    for await (const { data } of this.#pages()) {
      const { data: items, pagination } = data as Page<Item>;
      for (const item of items) {
        // Only pages by offset have a total. By cursor nothing moves, and a long read need not remember all.
        const { id } = item as { id?: string };
        if (pagination?.total && id !== undefined) {
          if (seen.has(id)) continue;
          seen.add(id);
        }
        yield item;
      }
    }
  }

  async *#pages(): AsyncGenerator<Answered<T>, void, undefined> {
    const cursors = new Set<string | null | undefined>([this.#start.cursor]);
    let offset = this.#start.offset ?? 0;
    let page = await this.withResponse();
    for (;;) {
      yield page;
      const { data, pagination: { total = 0, nextCursor } = {} } = page.data as Page<Item>;
      offset += data.length;
      if (nextCursor) {
        if (cursors.has(nextCursor))
          throw new InvalidResponseError('a cursor that came before', page.request, page.response);
        cursors.add(nextCursor);
        page = await this.#turn({ cursor: nextCursor });
      } else if (data.length > 0 && offset < total) page = await this.#turn({ offset });
      else return;
    }
  }
}
