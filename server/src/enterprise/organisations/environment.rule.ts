/** A service with fictional data is a sandbox: customers build against it, and its keys open nothing else. */
export type Environment = 'live' | 'sandbox';

/** The prefix of keys. */
export const KEY_PREFIX: Readonly<Record<Environment, string>> = { live: 'bte_live_', sandbox: 'bte_sandbox_' };

/** Returns the environment of a key by its prefix; undefined if the text is no key. */
export const detectEnvironment = (text: string): Environment | undefined =>
  (Object.keys(KEY_PREFIX) as Environment[]).find((environment) => text.startsWith(KEY_PREFIX[environment]));
