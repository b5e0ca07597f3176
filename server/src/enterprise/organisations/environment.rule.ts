/** A service with fictional data is a sandbox: customers build against it, and its keys open nothing else. */
export type Environment = 'live' | 'sandbox';

/** What keys begin with. */
export const KEY_PREFIX: Readonly<Record<Environment, string>> = { live: 'bte_live_', sandbox: 'bte_sandbox_' };

/** Returns the environment that a text is a key of, by how it begins; undefined if it is no key. */
export const detectEnvironment = (text: string): Environment | undefined =>
  (Object.keys(KEY_PREFIX) as Environment[]).find((environment) => text.startsWith(KEY_PREFIX[environment]));
