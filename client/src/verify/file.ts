import { parsing, VerifyError } from './error.ts';

/** An object in a file. */
export type Fields = Readonly<Record<string, unknown>>;

const createMalformedError = (place: string, expected: string): VerifyError =>
  new VerifyError('malformed', `${place} of the file: expected ${expected}`);

/** Returns the error of a file that differs from its proofs. */
export const createMismatchError = (message: string): VerifyError => new VerifyError('not_as_proven', message);

/** Returns the fields of an object in a file. @throws VerifyError if it is none */
export const requireFields = (value: unknown, place: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw createMalformedError(place, 'an object');
};

/** Returns a text in a file. @throws VerifyError if it is none */
export const requireText = (value: unknown, place: string): string => {
  if (typeof value === 'string') return value;
  throw createMalformedError(place, 'a text');
};

/** Parses a file of JSON. @throws VerifyError if it is none */
export const parseFile = (json: string): Fields =>
  requireFields(
    parsing('malformed', 'the file', () => JSON.parse(json)),
    'the content',
  );
