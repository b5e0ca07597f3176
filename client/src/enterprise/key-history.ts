/** An entry of a key. */
interface KeyEntry {
  readonly number: number;
  readonly isGone: boolean;
}

/**
 * The entries of keys: for each key its last signed entry, and those after it, which can be taken back. Other entries
 * are dropped.
 */
export class KeyHistory<E extends KeyEntry> {
  readonly #entries = new Map<string, E[]>();
  /** Keys with entries that are not signed yet, or with one that can be dropped. */
  readonly #open = new Set<string>();
  readonly #dropped: (entry: E) => void;

  constructor(dropped: (entry: E) => void = () => {}) {
    this.#dropped = dropped;
  }

  clear(): void {
    this.#entries.clear();
    this.#open.clear();
  }

  add(key: string, entry: E): void {
    const known = this.#entries.get(key);
    if (known) known.push(entry);
    else this.#entries.set(key, [entry]);
    this.#open.add(key);
  }

  /** Drops entries from a number on. Returns those that count again. */
  backTo(number: number): E[] {
    const again: E[] = [];
    for (const key of this.#open) {
      if ((this.#entries.get(key)?.at(-1)?.number ?? 0) < number) continue;
      this.#keep(key, (entry) => entry.number < number);
      const last = this.get(key);
      if (last) again.push(last);
    }
    return again;
  }

  /** Drops what a signed tree of this size makes superfluous. */
  settle(signedSize: number): void {
    for (const key of this.#open) {
      const entries = this.#entries.get(key) ?? [];
      const last = entries.findLast(({ number }) => number < signedSize);
      this.#keep(key, (entry) => entry.number >= signedSize || (entry === last && !entry.isGone));
      if ((this.#entries.get(key) ?? []).every(({ number }) => number < signedSize)) this.#open.delete(key);
    }
  }

  #keep(key: string, isKept: (entry: E) => boolean): void {
    const entries = this.#entries.get(key) ?? [];
    const kept = entries.filter(isKept);
    for (const entry of entries) if (!kept.includes(entry)) this.#dropped(entry);
    if (kept.length > 0) this.#entries.set(key, kept);
    else this.#entries.delete(key);
  }

  /** Returns the current entry of a key; undefined if it has none. */
  get(key: string): E | undefined {
    const last = this.#entries.get(key)?.at(-1);
    return last?.isGone ? undefined : last;
  }

  /** The keys that say something, in order. */
  keys(): string[] {
    return [...this.#entries.keys()].filter((key) => this.get(key) !== undefined).sort();
  }

  /** Every entry that is kept. */
  *all(): IterableIterator<E> {
    for (const entries of this.#entries.values()) yield* entries;
  }
}
