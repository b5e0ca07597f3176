import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { isUnavailable } from './mongo.ts';

const { MongoNetworkError, MongoServerError } = mongoose.mongo;
const answered = (code: number, errorLabels: string[] = []) =>
  new MongoServerError({ message: 'refused', code, errorLabels });
/** Their classes are not all exported. */
const named = (name: string) => Object.assign(new Error('not in time'), { name });

test.each<[string, unknown, boolean]>([
  ['a connection that was lost', new MongoNetworkError('lost'), true],
  ['no primary', named('MongoServerSelectionError'), true],
  ['no free connection', named('MongoWaitQueueTimeoutError'), true],
  ['a command that was out of time', answered(50), true],
  ['a read of a primary that steps down', answered(11_602), true],
  ['a read of one that is none any more', answered(10_107), true],
  ['a read of one that shuts down', answered(91), true],
  ['a commit of which nobody knows', answered(251, ['UnknownTransactionCommitResult']), true],
  ['a transaction to be begun again', answered(112, ['TransientTransactionError']), true],
  ['a unique index that refused', answered(11_000), false],
  ['a document that a validator refused', answered(121), false],
  ['a fault of ours', new TypeError('x is not a function'), false],
  ['nothing', undefined, false],
])('%s', (_, error, away) => {
  expect(isUnavailable(error)).toBe(away);
});
