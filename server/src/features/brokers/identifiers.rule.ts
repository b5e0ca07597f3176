/** All identifiers by which others can name a broker. */
export interface BrokerIdentifiers {
  readonly key: string;
  /** Its own key and those of the brokers that were merged into it. */
  readonly keys: readonly string[];
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  /** Legal names of the broker's entities. */
  readonly legalNames: readonly string[];
  readonly tradingNames: readonly string[];
  /** Hosts, and the address of the website. */
  readonly domains: readonly string[];
  readonly leis: readonly string[];
  readonly licenses: readonly {
    readonly regulator: string;
    readonly number: string;
    readonly holder: string;
    /** True if the licence is in force. */
    readonly isHeld: boolean;
  }[];
}
