import { ApiCall } from './calls.ts';
import type { Answered } from './exchange.ts';

/** As far as lists of all kinds are alike. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination?: { readonly total?: number; readonly nextCursor?: string | null };
}

/** Makes the same call for another page. */
export type Turn<T> = (place: { offset: number } | { cursor: string }) => Promise<Answered<T>>;

/**
 * A list to come: await it for one page, or iterate over all items. Further pages are asked for as they are needed, each
 * with the call's own options.
 * @example for await (const broker of client.brokers.list({ color: 'green', limit: 100 })) console.log(broker.name);
 */
export class ListCall<T, Item> extends ApiCall<T> implements AsyncIterable<Item> {
  readonly #turn: Turn<T>;
  readonly #start: number;

  /** @param start items skipped before the first page */
  constructor(first: Promise<Answered<T>>, turn: Turn<T>, start: number) {
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
    let offset = this.#start;
    let page = (await this) as Page<Item>;
    for (;;) {
      const { data, pagination: { total = 0, nextCursor } = {} } = page;
      for (const item of data) {
        // Only pages by offset have a total. By cursor nothing moves, and a long read need not remember all.
        const { id } = item as { id?: string };
        if (total > 0 && id !== undefined) {
          if (seen.has(id)) continue;
          seen.add(id);
        }
        yield item;
      }
      offset += data.length;
      if (nextCursor) page = (await this.#turn({ cursor: nextCursor })).data as Page<Item>;
      else if (data.length > 0 && offset < total) page = (await this.#turn({ offset })).data as Page<Item>;
      else return;
    }
  }
}
