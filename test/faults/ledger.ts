/** Records the acknowledged writes and compares them with what is stored. */
import type { Db, Document } from 'mongodb';

/** A write that a consumer wants executed once, however often it is sent. */
export interface LedgerWrite {
  readonly number: number;
  readonly kind: 'reviews' | 'complaints';
  /** Its idempotency key, which also ends its title. */
  readonly key: string;
  /** The acknowledged ids. More than one means that the write was executed twice. */
  readonly ids: Set<string>;
  /** Number of times of each other answer, such as 3 for `503 unavailable: The database does not answer.`. */
  readonly refusals: Map<string, number>;
}

export interface Balance {
  readonly acknowledged: number;
  /** Acknowledged but not stored. */
  readonly lost: readonly string[];
  /** Stored more than once, or acknowledged under several ids. */
  readonly doubled: readonly string[];
}

export class Ledger {
  readonly #run: string;
  readonly entries: LedgerWrite[] = [];

  /** @param run part of keys and titles, so that several runs can share a database */
  constructor(run: string) {
    this.#run = run;
  }

  open(): LedgerWrite {
    const number = this.entries.length;
    const entry: LedgerWrite = {
      number,
      kind: number % 2 === 0 ? 'reviews' : 'complaints',
      key: `${this.#run}-${number}`,
      ids: new Set(),
      refusals: new Map(),
    };
    this.entries.push(entry);
    return entry;
  }

  /** The unacknowledged writes, by their answers: `2 writes, first 7-0: 3 × 503 unavailable, 1 × no answer`. */
  unsettled(): string[] {
    const keys = new Map<string, string[]>();
    for (const { key, ids, refusals } of this.entries) {
      if (ids.size > 0) continue;
      const answers = [...refusals].map(([text, count]) => `${count} × ${text}`).join(', ') || 'never sent';
      keys.set(answers, [...(keys.get(answers) ?? []), key]);
    }
    return [...keys].map(([answers, { length, 0: first }]) => `${length} writes, first ${first}: ${answers}`);
  }

  formatTitle({ key }: LedgerWrite): string {
    return `Ledger entry ${key}`;
  }

  async balance(db: Db): Promise<Balance> {
    const stored = await this.#stored(db);
    const acknowledged = this.entries.filter(({ ids }) => ids.size > 0);
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter(({ key, ids }) => !stored.get(key)?.some((id) => ids.has(id))).map(({ key }) => key),
      doubled: this.entries
        .filter(({ key, ids }) => ids.size > 1 || (stored.get(key)?.length ?? 0) > 1)
        .map(({ key }) => key),
    };
  }

  /** Ids by key of the writes that a majority of the members has. */
  async #stored(db: Db): Promise<Map<string, string[]>> {
    const prefix = `Ledger entry ${this.#run}-`;
    const title = { $regex: `^${prefix}` };
    const found = new Map<string, string[]>();
    for (const name of ['reviews', 'complaints'])
      for await (const { _id, title: text } of db
        .collection(name, { readConcern: { level: 'majority' } })
        .find<Document>({ title }, { projection: { title: 1 } })) {
        const key = String(text).slice('Ledger entry '.length);
        found.set(key, [...(found.get(key) ?? []), String(_id)]);
      }
    return found;
  }
}
