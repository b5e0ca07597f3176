import { DomainError } from '../../platform/domain-error.ts';
import { UNPRINTABLE } from '../../platform/unprintable.rule.ts';
import { BOUNDS } from './policy.rule.ts';

const requireBounded = (name: string, given: string, most: number): string => {
  const text = given.trim();
  // line feeds separate paragraphs
  const isPrintable = text.isWellFormed() && text.replaceAll('\n', '').search(UNPRINTABLE) < 0;
  if (text !== '' && text.length <= most && isPrintable) return text;
  throw new DomainError('invalid_input', `The ${name} must be plain text of 1 to ${most} characters.`);
};

/** Returns a title as it is published. @throws DomainError invalid_input */
export const parseTitle = (given: string): string => {
  if (given.trim().includes('\n')) throw new DomainError('invalid_input', 'The title must be on one line.');
  return requireBounded('title', given, BOUNDS.title);
};

/** Returns a text as it is published. @throws DomainError invalid_input */
export const parseText = (given: string): string => requireBounded('text', given.replaceAll('\r\n', '\n'), BOUNDS.text);
