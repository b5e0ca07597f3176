/** Commands of the database that only read, or end what a session or a cursor holds. */
const READING: ReadonlySet<string> = new Set([
  ...['hello', 'ping', 'buildInfo', 'saslStart', 'saslContinue'],
  ...['find', 'aggregate', 'getMore', 'count', 'distinct', 'explain', 'listCollections', 'listIndexes'],
  ...['killCursors', 'endSessions', 'abortTransaction'],
]);

const isWritingStage = (stage: unknown): boolean =>
  typeof stage === 'object' && stage !== null && ('$out' in stage || '$merge' in stage);

/** Returns whether a command of the database only reads. */
export const isReading = (name: string, command: Readonly<Record<string, unknown>>): boolean => {
  const stages = Array.isArray(command['pipeline']) ? command['pipeline'] : [];
  return READING.has(name) && !stages.some(isWritingStage);
};

/** Returns whether a command of the database leaves nothing behind where no transaction is ever committed. */
export const isTakenBack = (name: string, command: Readonly<Record<string, unknown>>): boolean =>
  name !== 'commitTransaction' && (command['autocommit'] === false || isReading(name, command)); // false: in a transaction
