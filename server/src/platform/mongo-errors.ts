/**
 * Classifies errors of MongoDB. The driver expresses the meaning by class, by label or by code, and no single one of
 * them suffices.
 */
import mongoose from 'mongoose';

const driver = mongoose.mongo;

const hasCode = (error: unknown, code: number): boolean => error instanceof driver.MongoError && error.code === code;

/** Returns whether a unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => hasCode(error, 11_000);

/**
 * Rethrows an error. If a unique index refused a write because another transaction was faster, the rethrown error makes
 * the transaction run again.
 */
export const rethrowAsConflict = (error: unknown): never => {
  if (isDuplicateKey(error)) (error as mongoose.mongo.MongoError).addErrorLabel('TransientTransactionError');
  throw error;
};

/** Returns an error that makes its transaction run again. */
export const createRetryError = (why: string): Error => {
  const error = new driver.MongoError(why);
  error.addErrorLabel('TransientTransactionError');
  return error;
};

/** Returns whether an unfinished transaction holds the same document. */
export const isWriteConflict = (error: unknown): boolean => hasCode(error, 112);

/** Includes subclasses: for example, the error of a pool that a monitor cleared is a network error. */
const UNAVAILABLE_CLASSES = [
  driver.MongoClientClosedError,
  driver.MongoExpiredSessionError,
  driver.MongoNetworkError,
  driver.MongoNotConnectedError,
  driver.MongoOperationTimeoutError,
  driver.MongoServerClosedError,
  driver.MongoStalePrimaryError,
  driver.MongoSystemError,
  driver.MongoTopologyClosedError,
  driver.MongoUnexpectedServerResponseError,
  driver.MongoWriteConcernError,
];

/** Names of error classes that are not exported. `AbortError`: the read ended because its caller stopped waiting. */
const UNAVAILABLE_NAMES = new Set([
  'AbortError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
]);

const UNAVAILABLE_LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'PoolRequestedRetry',
  'SystemOverloadedError',
];

/**
 * MongoDB error codes: timed out, shutting down, or not (or no longer) the primary. Errors of reads have no label for
 * these.
 */
const UNAVAILABLE_CODES = new Set([6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** Returns the error that ended a bulk write. The bulk error itself has another class, and lacks some labels. */
const findBulkCause = (error: mongoose.mongo.MongoError): unknown =>
  error instanceof driver.MongoBulkWriteError ? error.errorResponse : undefined;

const saysUnavailable = (error: mongoose.mongo.MongoError): boolean =>
  UNAVAILABLE_CLASSES.some((type) => error instanceof type) ||
  UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label)) ||
  UNAVAILABLE_CODES.has(Number(error.code));

/** Messages of mongoose's own errors before there is a connection. */
const NOT_CONNECTED = /buffer|before initial connection|not connected/i;

/**
 * Returns whether the database could not be reached, did not answer in time, or is electing a primary. The outcome of a
 * write is then unknown.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (UNAVAILABLE_NAMES.has(error.name) ||
    (error instanceof driver.MongoError && (saysUnavailable(error) || isUnavailable(findBulkCause(error)))) ||
    (error instanceof mongoose.Error && NOT_CONNECTED.test(error.message)));
