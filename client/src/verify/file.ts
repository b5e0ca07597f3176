import { parsing, VerifyError } from './error.ts';

/** An object in a file. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object in a file. @throws VerifyError if it is none */
export const fieldsOf = (value: unknown, name: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new VerifyError('malformed', `${name} of the file: expected an object`);
};

/** Returns a text in a file. @throws VerifyError if it is none */
export const textIn = (fields: Fields, name: string, place: string): string => {
  const text = fields[name];
  if (typeof text === 'string') return text;
  throw new VerifyError('malformed', `${place}: expected a text`);
};

/** Parses a file of JSON. @throws VerifyError if it is none */
export const parseFile = (json: string): Fields =>
  fieldsOf(
    parsing('malformed', 'the file', () => JSON.parse(json)),
    'the content',
  );
