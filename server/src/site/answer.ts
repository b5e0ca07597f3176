import { hash } from 'node:crypto';
import { addressIn, type Language, type PageResponse } from '@broker-transparency/portal';
import { type CachedAnswer, toCachedAnswer } from '../http/cache/response-cache.ts';
import { ProblemError } from '../http/problem/problem.ts';
import { imagePolicy, pageHeaders } from '../http/response/headers.ts';

/** Headers of every page. */
export const PAGE_HEADERS = { 'Cache-Control': 'public, max-age=30' };
const HTML = 'text/html; charset=utf-8';

const STYLE = /<style>([^<&]*)<\/style>/;

/**
 * Returns the headers with the policy of a page or file. Anything but HTML and images has the policy of data, which
 * allows nothing.
 */
const toHeaders = (rendered: Extract<PageResponse, { html: unknown } | { text: string }>): Record<string, string> => {
  if ('html' in rendered) return pageHeaders(rendered.isFramed);
  const style = STYLE.exec(rendered.text)?.[1];
  return style === undefined ? {} : { 'Content-Security-Policy': imagePolicy(hash('sha256', style, 'base64')) };
};

/** Returns a rendered page as a public answer. @throws ProblemError not_found */
export const toAnswer = (
  rendered: PageResponse,
  language: Language,
  made: Pick<CachedAnswer, 'route' | 'builtAt' | 'limit'>,
) => {
  if ('isMissing' in rendered)
    throw new ProblemError('not_found', rendered.reason ?? 'There is nothing at this address.');
  if ('movedTo' in rendered) {
    const Location = addressIn(language, rendered.movedTo);
    return toCachedAnswer({ ...made, status: 308, body: {}, headers: { ...PAGE_HEADERS, Location } });
  }
  const isHtml = 'html' in rendered;
  const body = Buffer.from(isHtml ? rendered.html.text : rendered.text);
  const contentType = isHtml ? HTML : rendered.contentType;
  const headers = { ...PAGE_HEADERS, ...toHeaders(rendered) };
  return toCachedAnswer({ ...made, body, contentType, headers });
};
