/** An answer is not as a caller needs it. The message is public, short, and names the expectation. */
export class CheckError extends Error {}

/**
 * The record lost entries, whose numbers are then given to others. It is reported once, and the next minute begins
 * anew.
 */
export class RollbackError extends CheckError {}

/** The service declines a request that is not agreed, or not yet. This is no fault of the service. */
export class DeclinedError extends CheckError {}

const LONGEST = 200;

/** Returns a message in the form of results, which is short and readable even if a hostile server sent it. */
export const formatError = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
      .slice(0, LONGEST)
      .toWellFormed() || 'it failed'
  );
};
