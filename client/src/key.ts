const hex = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join('');

/**
 * A key no other request of the same account has: a random UUID. Node 18 and pages without https lack
 * `crypto.randomUUID`; chance without secrecy is enough there, since keys are kept per account.
 */
export const randomKey = (): string =>
  globalThis.crypto?.randomUUID?.() ?? `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
