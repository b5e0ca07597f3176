/** An answer is not what a caller needs. The message is shown to everybody: it is short, and says what was expected. */
export class CheckError extends Error {}

/** Entries were taken back. They never come again under the same numbers: it is said once, and the next minute begins anew. */
export class RollbackError extends CheckError {}

/** What was asked for was not agreed, or not yet: nothing is said by it of the service. */
export class DeclinedError extends CheckError {}

const LONGEST = 200;

/** Returns a message as a result may hold it: what a hostile server sent cannot make it long or unreadable. */
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
