import { invalidRequest } from '../problem/problem.ts';

/** Maximum number of parameters; no route has more. */
const MOST_PARAMETERS = 50;

const decode = (text: string): string | undefined => {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/**
 * Parses a query string strictly: every name once, valid percent-encoding, plain strings only.
 * @throws ProblemError invalid_request with the parameter at fault
 */
export const parseQuery = (text: string | null | undefined): Record<string, string> => {
  const query: Record<string, string> = Object.create(null);
  const parts = (text ?? '').split('&', MOST_PARAMETERS + 1);
  if (parts.length > MOST_PARAMETERS)
    throw invalidRequest([
      { parameter: 'query', code: 'too_many', detail: `The query has more than ${MOST_PARAMETERS} parameters.` },
    ]);
  for (const part of parts) {
    if (part === '') continue;
    const cut = part.indexOf('=');
    const name = decode(cut < 0 ? part : part.slice(0, cut));
    const value = decode(cut < 0 ? '' : part.slice(cut + 1));
    if (name === undefined || value === undefined) {
      const parameter = name ?? 'query';
      throw invalidRequest([
        { parameter, code: 'invalid_encoding', detail: `"${parameter}" has an invalid percent-encoding.` },
      ]);
    }
    if (name in query)
      throw invalidRequest([{ parameter: name, code: 'repeated', detail: `"${name}" may be given once only.` }]);
    query[name] = value;
  }
  return query;
};
