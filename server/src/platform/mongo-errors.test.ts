import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { isUnavailable } from './mongo-errors.ts';

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongoose.mongo;
const inBulk = (error: Error) =>
  new MongoBulkWriteError(error as never, undefined as unknown as mongoose.mongo.BulkWriteResult);
const answered = (code: number, errorLabels: string[] = []) =>
  new MongoServerError({ message: 'refused', code, errorLabels });
/** Builds an error by name, since the driver does not export every class. */
const named = (name: string) => Object.assign(new Error('not in time'), { name });

test.each<[string, unknown, boolean]>([
  ['no free connection', named('MongoWaitQueueTimeoutError'), true],
  ['a pool that is closed', named('MongoPoolClosedError'), true],
  ['no primary, said by mongoose', named('MongooseServerSelectionError'), true],
  ['a command that timed out', answered(50), true],
  ['a read of a primary that steps down', answered(11_602), true],
  ['a read of a former primary', answered(10_107), true],
  ['a read of a primary that shuts down', answered(91), true],
  ['a commit with an unknown outcome', answered(251, ['UnknownTransactionCommitResult']), true],
  ['a transaction that must be retried', answered(112, ['TransientTransactionError']), true],
  ['a connection of a pool that was cleared', answered(0, ['PoolRequestedRetry']), true],
  ['a connection that closes during a bulk write', inBulk(new MongoNetworkError('connection 2 closed')), true],
  ['a bulk write that a unique index refused', inBulk(answered(11_000)), false],
  ['a write that a unique index refused', answered(11_000), false],
  ['a document that a validator refused', answered(121), false],
  ['a fault of ours', new TypeError('x is not a function'), false],
  ['nothing', undefined, false],
])('%s', (_, error, away) => {
  expect(isUnavailable(error)).toBe(away);
});

/**
 * Every error class of the driver, and whether it means "unavailable". A release with a new class fails here until it
 * is classified.
 */
const CLASSES: Readonly<Record<string, boolean>> = {
  MongoAPIError: false,
  MongoAWSError: false,
  MongoAzureError: false,
  MongoBatchReExecutionError: false,
  MongoBulkWriteError: false,
  MongoChangeStreamError: false,
  MongoClientBulkWriteCursorError: false,
  MongoClientBulkWriteError: false,
  MongoClientBulkWriteExecutionError: false,
  MongoClientClosedError: true,
  MongoCompatibilityError: false,
  MongoCryptAzureKMSRequestError: false,
  MongoCryptCreateDataKeyError: false,
  MongoCryptCreateEncryptedCollectionError: false,
  MongoCryptError: false,
  MongoCryptInvalidArgumentError: false,
  MongoCryptKMSRequestNetworkTimeoutError: false,
  MongoCursorExhaustedError: false,
  MongoCursorInUseError: false,
  MongoDecompressionError: false,
  MongoDriverError: false,
  MongoError: false,
  MongoExpiredSessionError: true,
  MongoGCPError: false,
  MongoGridFSChunkError: false,
  MongoGridFSStreamError: false,
  MongoInvalidArgumentError: false,
  MongoKerberosError: false,
  MongoMissingCredentialsError: false,
  MongoMissingDependencyError: false,
  MongoNetworkError: true,
  MongoNetworkTimeoutError: true,
  MongoNotConnectedError: true,
  MongoOIDCError: false,
  MongoOperationTimeoutError: true,
  MongoParseError: false,
  MongoRuntimeError: false,
  MongoServerClosedError: true,
  MongoServerError: false,
  MongoServerSelectionError: true,
  MongoStalePrimaryError: true,
  MongoSystemError: true,
  MongoTailableCursorError: false,
  MongoTopologyClosedError: true,
  MongoTransactionError: false,
  MongoUnexpectedServerResponseError: true,
  MongoWriteConcernError: true,
};

describe('error classes of the driver', () => {
  const exported = Object.entries<unknown>(mongoose.mongo).filter(
    (entry): entry is [string, typeof Error] => typeof entry[1] === 'function' && entry[1].prototype instanceof Error,
  );

  test('the error classes of the driver are all listed', () => {
    expect(exported.map(([name]) => name).sort()).toEqual(Object.keys(CLASSES));
  });

  test.each(exported)('%s', (name, type) => {
    const error = Object.assign(Object.create(type.prototype), { errorLabelSet: new Set() });
    expect(isUnavailable(error)).toBe(CLASSES[name]);
  });
});
