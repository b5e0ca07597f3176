import { readFileSync } from 'node:fs';
import { DomainError } from '../../platform/domain-error.ts';

/** Reads a file that somebody named at the command line. @throws DomainError invalid_input with its name */
export const readTextFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DomainError('invalid_input', `"${path}" cannot be read: ${(error as Error).message}`, { cause: error });
  }
};
