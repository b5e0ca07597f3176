/** What an error of MongoDB means: the driver tells it by class, by label or by code, and not by one of them alone. */
import mongoose from 'mongoose';

const driver = mongoose.mongo;

const hasCode = (error: unknown, code: number): boolean => error instanceof driver.MongoError && error.code === code;

/** A unique index refused the write. */
export const isDuplicateKey = (error: unknown): boolean => hasCode(error, 11_000);

/** Another transaction that is not finished holds the same document. */
export const isWriteConflict = (error: unknown): boolean => hasCode(error, 112);

/** Errors of these classes, and of those derived from them: the pool that a monitor cleared is a network error, for example. */
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

/** Of classes that are not exported. */
const UNAVAILABLE_NAMES = new Set([
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

/** Codes of MongoDB: out of time, shutting down, or no longer (or not yet) the primary. Reads have no label that says so. */
const UNAVAILABLE_CODES = new Set([6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

const saysUnavailable = (error: mongoose.mongo.MongoError): boolean =>
  UNAVAILABLE_CLASSES.some((type) => error instanceof type) ||
  UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label)) ||
  UNAVAILABLE_CODES.has(Number(error.code));

/** Mongoose's own, before there is a connection. */
const NOT_CONNECTED = /buffer|before initial connection|not connected/i;

/** The database could not be asked, did not answer in time, or is electing: the outcome of a write is unknown. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (UNAVAILABLE_NAMES.has(error.name) ||
    (error instanceof driver.MongoError && saysUnavailable(error)) ||
    (error instanceof mongoose.Error && NOT_CONNECTED.test(error.message)));
