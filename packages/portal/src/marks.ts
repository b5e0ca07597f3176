import type { BrokerDetail } from '@broker-transparency/client';

/** Reads the marks of brokers, as operators uploaded them. */
export interface Marks {
  /** Returns the hash of a broker's mark, if pages show it at that time. */
  readonly find: (broker: BrokerDetail, at: Date) => Promise<string | undefined>;
  /** Returns the picture with a hash, as PNG. */
  readonly read: (hash: string) => Promise<Uint8Array | undefined>;
}
