import { DomainError } from '../../platform/domain-error.ts';
import { BOUNDS } from './policy.rule.ts';

/** Controls, and marks that turn the direction of the text beside them. Line feeds part paragraphs. */
const CONTROLS = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

const bounded = (name: string, given: string, most: number): string => {
  const text = given.trim();
  if (text !== '' && text.length <= most && text.isWellFormed() && !CONTROLS.test(text.replaceAll('\n', '')))
    return text;
  throw new DomainError('invalid_input', `The ${name} must be plain text of 1 to ${most} characters.`);
};

/** Returns a title as it is published. @throws DomainError invalid_input */
export const titleOf = (given: string): string => {
  if (given.trim().includes('\n')) throw new DomainError('invalid_input', 'The title must be on one line.');
  return bounded('title', given, BOUNDS.title);
};

/** Returns a text as it is published. @throws DomainError invalid_input */
export const textOf = (given: string): string => bounded('text', given.replaceAll('\r\n', '\n'), BOUNDS.text);
