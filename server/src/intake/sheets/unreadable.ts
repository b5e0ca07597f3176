import { DomainError } from '../../platform/domain-error.ts';

/** Returns the error for a file that is unreadable as a whole or from some line on. The message names the line. */
export const toUnreadableError = (message: string): DomainError => new DomainError('unreadable_file', message);
