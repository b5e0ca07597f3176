import { apiErrorOf } from './api-error.ts';
import { type AnswerError, InvalidResponseError, type ProblemBody, type SentRequest } from './errors.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

const isProblem = (body: object): body is ProblemBody => 'code' in body && typeof body.code === 'string';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * The body of a good answer, or the error an answer stands for. It quotes nothing of a foreign body, which might echo
 * the request's headers.
 */
export const readAnswer = (text: string, request: SentRequest, response: Response): object => {
  const invalid = (reason: string): AnswerError => new InvalidResponseError(reason, request, response);
  const type = response.headers.get('content-type') ?? '';
  if (!JSON_TYPE.test(type))
    return invalid(type === '' ? 'no media type' : `${type.split(';')[0]?.trim()} instead of JSON`);
  const body = parse(text);
  if (body === undefined) return invalid('JSON that is malformed or cut');
  if (typeof body !== 'object' || body === null) return invalid('JSON that is no object');
  if (response.ok) return body;
  return isProblem(body) ? apiErrorOf(body, request, response) : invalid('JSON that is no problem of this API');
};
