/** What was acknowledged, to be compared with what is stored. */
import type { Db, Document } from 'mongodb';

/** One write that a consumer wants done once, however often it has to be sent. */
export interface Entry {
  readonly number: number;
  readonly kind: 'reviews' | 'complaints';
  /** Its idempotency key; its title ends with it, too. */
  readonly key: string;
  /** Ids it was acknowledged with: one, unless it was done twice. */
  readonly ids: Set<string>;
  /** How often it was answered otherwise: `503 unavailable`, 3 times. */
  readonly refusals: Map<string, number>;
}

export interface Balance {
  readonly acknowledged: number;
  /** Acknowledged, and not stored. */
  readonly lost: readonly string[];
  /** Stored, or acknowledged under another id, more than once. */
  readonly doubled: readonly string[];
}

export class Ledger {
  readonly #run: string;
  readonly entries: Entry[] = [];

  /** @param run in keys and titles, so that several runs may share a database */
  constructor(run: string) {
    this.#run = run;
  }

  open(): Entry {
    const number = this.entries.length;
    const entry: Entry = {
      number,
      kind: number % 2 === 0 ? 'reviews' : 'complaints',
      key: `${this.#run}-${number}`,
      ids: new Set(),
      refusals: new Map(),
    };
    this.entries.push(entry);
    return entry;
  }

  /** Those that nobody has acknowledged, and what they were answered: `7-0: 3 × 503 unavailable, 1 × no answer`. */
  unsettled(): string[] {
    return this.entries
      .filter(({ ids }) => ids.size === 0)
      .map(({ key, refusals }) => {
        const answers = [...refusals].map(([text, count]) => `${count} × ${text}`);
        return `${key}: ${answers.join(', ') || 'never sent'}`;
      });
  }

  titleOf({ key }: Entry): string {
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

  /** Ids by key, of what a majority has. */
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
