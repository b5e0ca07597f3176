import { DomainError } from '../../../platform/domain-error.ts';

/** Rules for requesting further pages. */
export type Pagination =
  | { readonly type: 'cursor'; readonly parameter: string; readonly first: string; readonly next: string }
  | {
      readonly type: 'page';
      readonly parameter: string;
      readonly first: number;
      readonly size: number;
      readonly total: string;
    };

/** Request for a page: an address, and the body of a POST if there is one. */
export interface PageRequest {
  readonly url: string;
  readonly body?: string;
}

const setQueryParameter = (text: string, parameter: string, value: string): string =>
  `${text}${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`;

/** Returns a request with a parameter in the address, or in the posted JSON or form. */
export const withParameter = ({ url, body }: PageRequest, parameter: string, value: string | number): PageRequest => {
  if (body === undefined)
    return { url: setQueryParameter(`${url}${url.includes('?') ? '&' : '?'}`, parameter, String(value)) };
  if (body.trimStart().startsWith('{'))
    return { url, body: JSON.stringify({ ...JSON.parse(body), [parameter]: value }) };
  return { url, body: setQueryParameter(body === '' ? '' : `${body}&`, parameter, String(value)) };
};

/** Returns the value at a path such as `response.numFound`. */
const readPath = (answer: unknown, way: string): unknown =>
  way.split('.').reduce((value: unknown, key) => (value as Record<string, unknown> | null | undefined)?.[key], answer);

/**
 * Returns the value of the parameter for the next page; undefined after the last one.
 * @param asked value of the parameter for this page
 * @throws DomainError unreadable_file if the answer does not identify the next page
 */
export const findNextPage = (
  paging: Pagination,
  asked: string | number,
  answer: unknown,
): string | number | undefined => {
  if (paging.type === 'cursor') {
    const next = readPath(answer, paging.next);
    if (typeof next !== 'string' && typeof next !== 'number')
      throw new DomainError('unreadable_file', `a page has no ${paging.next}, by which the next one is asked for`);
    return next === asked || next === '' ? undefined : next;
  }
  const total = Number(readPath(answer, paging.total) ?? Number.NaN);
  if (!Number.isSafeInteger(total) || total < 0)
    throw new DomainError('unreadable_file', `a page has no ${paging.total}, the number of all rows`);
  const page = Number(asked);
  return (page - paging.first + 1) * paging.size < total ? page + 1 : undefined;
};
