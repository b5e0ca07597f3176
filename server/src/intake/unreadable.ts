import { UnreadableFileError } from '@broker-transparency/tables';
import { DomainError } from '../platform/domain-error.ts';

/** Returns the error for a file that is unreadable as a whole or from some line on. The message names the line. */
export const toUnreadableError = (message: string): DomainError => new DomainError('unreadable_file', message);

/** Reads rows of a file. @throws DomainError unreadable_file in place of the error of the table */
export const reportUnreadable = async function* <T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw error instanceof UnreadableFileError
      ? new DomainError('unreadable_file', error.message, { cause: error })
      : error;
  }
};
