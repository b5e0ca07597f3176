import { DomainError } from '../../platform/domain-error.ts';

/** A fault that makes a whole file, or the rest of it, unreadable. The message names the line. */
export const unreadable = (message: string): DomainError => new DomainError('unreadable_file', message);
