/**
 * Returns a key that no other request of the same account has: a random UUID. Node 18 and pages without https lack
 * `crypto.randomUUID`. `Math.random` is enough there: keys need not be secret, because the server stores them per
 * account.
 */
export const randomKey = (): string =>
  globalThis.crypto?.randomUUID?.() ??
  'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.random().toString(16)[2] ?? '0');
