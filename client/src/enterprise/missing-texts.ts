/** Milliseconds until an entry has its number and is in the feed: a text can be gone before its entry comes. */
export const NUMBERED_MS = 2000;

/**
 * Texts that entries say are public and that the service does not give. A later entry may say that one is public no
 * longer, so that nothing is sure before the end of the record, and before an entry that was just written can have
 * come.
 */
export class MissingTexts {
  /** Missing fields by key, joined by commas, with the time since which they are known to be missing. */
  readonly #known = new Map<string, { readonly fields: string; readonly since: number }>();

  /** Notes the fields of a key that are missing now. */
  note(key: string, fields: readonly string[], now: number): void {
    const joined = fields.join();
    const known = this.#known.get(key);
    if (joined === '') this.#known.delete(key);
    else if (known?.fields !== joined) this.#known.set(key, { fields: joined, since: now });
  }

  /** Returns the fields of a key that are missing as far as is known. */
  listFields(key: string): readonly string[] {
    return this.#known.get(key)?.fields.split(',') ?? [];
  }

  /** Returns true if texts are missing that a coming entry may explain. */
  isUnsure(now: number): boolean {
    return [...this.#known.values()].some(({ since }) => now - since < NUMBERED_MS);
  }

  /** Returns the missing texts that no coming entry can explain, such as `content of review/1`. */
  sure(now: number): string[] {
    return [...this.#known].flatMap(([key, { fields, since }]) =>
      now - since < NUMBERED_MS ? [] : fields.split(',').map((field) => `${field} of ${key}`),
    );
  }

  clear(): void {
    this.#known.clear();
  }
}
