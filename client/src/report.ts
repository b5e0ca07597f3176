/** Says something by `console.error`, where nobody else would hear of it. */
export const report = (what: string, more: unknown): void => console.error(`broker-transparency: ${what}`, more);

/**
 * Takes what a function of the caller gave that no call waits for: where that is a promise, it may reject, and a
 * rejection that nobody handles ends a process.
 */
export const watch = (what: string, given: unknown): void => {
  if (given instanceof Object) Promise.resolve(given).catch((error) => report(what, error));
};
