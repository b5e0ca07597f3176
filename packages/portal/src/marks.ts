/** Reads the marks of brokers, as operators uploaded them. */
export interface Marks {
  /** Returns the hash of a broker's mark. */
  readonly find: (slug: string) => Promise<string | undefined>;
  /** Returns the picture with a hash, as PNG. */
  readonly read: (hash: string) => Promise<Uint8Array | undefined>;
}
