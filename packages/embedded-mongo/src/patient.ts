/**
 * Connection settings for tests. The service gives up after about a second, to answer its callers; a test waits while
 * the machine is busy.
 */
export const PATIENT = {
  serverSelectionTimeoutMS: 30_000,
  connectTimeoutMS: 30_000,
  waitQueueTimeoutMS: 30_000,
} as const;
