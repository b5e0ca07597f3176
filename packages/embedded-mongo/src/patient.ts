/**
 * Settings of connections that the tests themselves open. The service gives up after a second or so, to answer its
 * callers; a test waits while the machine is busy.
 */
export const PATIENT = {
  serverSelectionTimeoutMS: 30_000,
  connectTimeoutMS: 30_000,
  waitQueueTimeoutMS: 30_000,
} as const;
