import { DomainError } from '../../platform/domain-error.ts';

/** Runs work and rewords its refusal, to name what it is about and what did not happen. @throws DomainError */
export const wrapError = async <T>(work: Promise<T>, words: (refusal: DomainError) => string): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DomainError ? new DomainError(error.code, words(error), { cause: error }) : error;
  }
};

/** The words for a file that cannot be read, or for what else is refused. */
export const describeFileError =
  (file: string, outcome: 'imported' | 'written') =>
  ({ code, message }: DomainError): string =>
    code === 'unreadable_file' ? `${file}: ${message}. Nothing was ${outcome}.` : message;
