/** Writes to `console.error` what would otherwise go unnoticed. */
export const report = (what: string, more: unknown): void => console.error(`broker-transparency: ${what}`, more);

/**
 * Watches the return value of a caller's function that no call awaits. If it is a promise that rejects, the error is
 * reported instead of ending the process as an unhandled rejection.
 */
export const watch = (what: string, given: unknown): void => {
  if (given instanceof Object) Promise.resolve(given).catch((error) => report(what, error));
};
