import { hash } from 'node:crypto';
import { addressIn, type Language, type PageResponse } from '@broker-transparency/portal';
import { type CachedAnswer, toCachedAnswer } from '../http/cache/response-cache.ts';
import { ProblemError } from '../http/problem/problem.ts';
import { imagePolicy, pageHeaders } from '../http/response/headers.ts';

/** Headers of every page, but for files whose address changes with their bytes. */
export const PAGE_HEADERS = { 'Cache-Control': 'public, max-age=30' };

/** A rendered page, with its picture drawn if it is one. */
export type RenderedPage =
  | Exclude<PageResponse, { picture: unknown }>
  | { readonly bytes: Buffer; readonly contentType: string };

type RenderedFile = Extract<RenderedPage, { html: unknown } | { contentType: string }>;

/** Headers of files whose address changes with their bytes. */
const UNCHANGING = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const HTML = 'text/html; charset=utf-8';

const STYLE = /<style>([^<&]*)<\/style>/;

/**
 * Returns the headers with the policy of a page or file. Anything but HTML and images has the policy of data, which
 * allows nothing.
 */
const toHeaders = (rendered: RenderedFile): Record<string, string> => {
  if ('html' in rendered) return pageHeaders(rendered.isFramed);
  const style = 'text' in rendered ? STYLE.exec(rendered.text)?.[1] : undefined;
  return style === undefined ? {} : { 'Content-Security-Policy': imagePolicy(hash('sha256', style, 'base64')) };
};

const toBytes = (rendered: RenderedFile): Buffer => {
  if ('bytes' in rendered) return rendered.bytes;
  if ('unchanging' in rendered) return Buffer.from(rendered.unchanging);
  return Buffer.from('html' in rendered ? rendered.html.text : rendered.text);
};

/** Returns a rendered page as a public answer. @throws ProblemError not_found */
export const toAnswer = (
  rendered: RenderedPage,
  language: Language,
  made: Pick<CachedAnswer, 'route' | 'builtAt' | 'limit'>,
) => {
  if ('isMissing' in rendered)
    throw new ProblemError('not_found', rendered.reason ?? 'There is nothing at this address.');
  if ('movedTo' in rendered) {
    const Location = addressIn(language, rendered.movedTo);
    return toCachedAnswer({ ...made, status: 308, body: {}, headers: { ...PAGE_HEADERS, Location } });
  }
  const body = toBytes(rendered);
  const contentType = 'html' in rendered ? HTML : rendered.contentType;
  const headers = { ...('unchanging' in rendered ? UNCHANGING : PAGE_HEADERS), ...toHeaders(rendered) };
  return toCachedAnswer({ ...made, body, contentType, headers });
};
