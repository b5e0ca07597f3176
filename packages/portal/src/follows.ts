/** A broker that somebody follows. */
export interface FollowedBroker {
  readonly slug: string;
  readonly name: string;
}

/** Lets people follow brokers by mail. Each token is the secret of a link in a mail. */
export interface Follows {
  /** Asks the owner of an address. `no_address`: the text is no address; all else is answered alike. */
  readonly request: (asked: {
    readonly address: string;
    readonly slug: string;
    readonly language: string;
  }) => Promise<'asked' | 'no_address'>;
  /** Returns false if the link is unknown, was used, or is too old. */
  readonly confirm: (token: string) => Promise<boolean>;
  /** Returns undefined if the link is unknown. */
  readonly list: (token: string) => Promise<readonly FollowedBroker[] | undefined>;
  /** Ends one broker, or all. Returns false if the link is unknown. */
  readonly end: (token: string, slug?: string) => Promise<boolean>;
}
