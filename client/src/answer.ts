import { createApiError } from './api-error.ts';
import { type AnswerError, InvalidResponseError, type ProblemBody, type SentRequest } from './errors.ts';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

const isProblem = (body: object): body is ProblemBody => typeof (body as Partial<ProblemBody>).code === 'string';

/** Parses JSON. Returns undefined if the text is not JSON. */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Statuses that mean the same from any server, such as a proxy. */
const CODES: Readonly<Record<number, string>> = { 429: 'rate_limited', 503: 'unavailable' };

/**
 * Returns the body of a successful answer, or the error that the answer stands for. The error never quotes the body of
 * a foreign server, which might echo the request's headers.
 */
export const readAnswer = (text: string | undefined, request: SentRequest, response: Response): object => {
  const invalid = (reason: string): AnswerError => {
    const code = CODES[response.status];
    return code === undefined
      ? new InvalidResponseError(reason, request, response)
      : createApiError({ code, detail: `a server before the API answered, with ${reason}` }, request, response);
  };
  const { status, headers } = response;
  // Leaves out the query and fragment, which may hold secrets. Browsers report status 0 and hide where a redirect
  // leads.
  if (status < 200 || (status > 300 && status < 400 && status !== 304))
    return invalid(`a redirect to ${headers.get('location')?.split(/[?#]/)[0] || 'an address that is not told'}`);
  if (text === undefined) return invalid('more bytes than maxBytes');
  const type = headers.get('content-type') ?? '';
  if (!JSON_TYPE.test(type)) return invalid(type ? `${type.split(/[\s;]/)[0]} instead of JSON` : 'no media type');
  const body = parse(text);
  if (!(body instanceof Object) || Array.isArray(body) || !Object.keys(body).length)
    return invalid('JSON that is cut, malformed or no object of this API');
  if (response.ok) return body;
  return isProblem(body) ? createApiError(body, request, response) : invalid('JSON that is no problem of this API');
};
