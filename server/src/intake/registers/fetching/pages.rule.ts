import { DomainError } from '../../../platform/domain-error.ts';

/** One more page until there is none. */
export type Pagination =
  | { readonly type: 'cursor'; readonly parameter: string; readonly first: string; readonly next: string }
  | {
      readonly type: 'page';
      readonly parameter: string;
      readonly first: number;
      readonly size: number;
      readonly total: string;
    };

/** What is asked for: an address, and what is posted there, if anything. */
export interface PageRequest {
  readonly url: string;
  readonly body?: string;
}

const setQueryParameter = (text: string, parameter: string, value: string): string =>
  `${text}${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`;

/** Returns a request with a parameter: of the address, or of what is posted, be it JSON or a form. */
export const withParameter = ({ url, body }: PageRequest, parameter: string, value: string | number): PageRequest => {
  if (body === undefined)
    return { url: setQueryParameter(`${url}${url.includes('?') ? '&' : '?'}`, parameter, String(value)) };
  if (body.trimStart().startsWith('{'))
    return { url, body: JSON.stringify({ ...JSON.parse(body), [parameter]: value }) };
  return { url, body: setQueryParameter(body === '' ? '' : `${body}&`, parameter, String(value)) };
};

/** Returns the value at a way such as `response.numFound`. */
const readPath = (answer: unknown, way: string): unknown =>
  way.split('.').reduce((value: unknown, key) => (value as Record<string, unknown> | null | undefined)?.[key], answer);

/**
 * Returns the value of the parameter for the page after this one; undefined: this is the last one.
 * @param asked value by which this page was asked for
 * @throws DomainError unreadable_file if the answer does not say how it goes on
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
