import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_VALIDATORS, toValidator, type Validators } from '../../../features/registers/policy.rule.ts';
import { type DownloadedFile, downloadTo } from '../../../platform/outbound/download.ts';
import { type FetchedDocument, fetchDocument } from '../../../platform/outbound/fetch.ts';
import { OutboundError, type OutboundRules } from '../../../platform/outbound/rules.ts';
import { version } from '../../../version.ts';
import type { SourceFetch } from '../../sources/source.rule.ts';
import { findNextPage, type PageRequest, withParameter } from './pages.rule.ts';

/** Limits of one file. The mapping has the limit of one answer. */
const LIMITS = {
  pages: 5000,
  bytes: 4_000_000_000,
} as const;

/** Request for a list, and the place for its bytes. */
export interface ListRequest {
  readonly fetch: SourceFetch;
  readonly rules: OutboundRules;
  /** Headers from the operator, such as a key: only the publisher's host gets them. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
  /** Validators of the present file; null if any answer is wanted. */
  readonly validators: Validators;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one answer: large files come slowly. */
  readonly timeoutMs: number;
}

/** A received file; undefined if the publisher confirms the present one. */
export type FetchResult =
  | {
      readonly url: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly validators: Validators;
      /** Time of the publisher's last change, if stated. */
      readonly modifiedAt: Date | undefined;
    }
  | undefined;

const requireOk = ({ status }: Pick<DownloadedFile | FetchedDocument, 'status'>): void => {
  if (status !== 200) throw new OutboundError(`answers ${status}`);
};

const toRequestOptions = (
  { fetch, rules, signal, timeoutMs, ownHeaders = {} }: ListRequest,
  { body }: PageRequest,
) => ({
  headers: { accept: '*/*', 'user-agent': `broker-rating/${version}`, ...fetch.headers },
  ownHeaders,
  rules,
  maxBytes: fetch.maxBytes,
  timeoutMs,
  signal,
  ...(body === undefined ? {} : { body, maxRedirects: 0 }),
});

const toPageRequest = ({ url, method, body }: SourceFetch): PageRequest => ({
  url,
  ...(method === 'POST' ? { body: body ?? '' } : {}),
});

const fetchFile = async (asking: ListRequest): Promise<FetchResult> => {
  const { fetch, path, validators } = asking;
  const page = toPageRequest(fetch);
  const { etag, lastModified } = page.body === undefined ? validators : NO_VALIDATORS;
  const request = toRequestOptions(asking, page);
  const answer = await downloadTo(path, page.url, {
    ...request,
    headers: {
      ...request.headers,
      ...(etag === null ? {} : { 'if-none-match': etag }),
      ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
    },
  });
  if (answer.status === 304 && (etag ?? lastModified) !== null) return undefined;
  requireOk(answer);
  const modified = answer.header('last-modified');
  const modifiedAt = modified === undefined ? Number.NaN : Date.parse(modified);
  return {
    url: answer.url,
    bytes: answer.bytes,
    sha256: answer.sha256,
    validators: { etag: toValidator(answer.header('etag')), lastModified: toValidator(modified) },
    modifiedAt: Number.isNaN(modifiedAt) ? undefined : new Date(modifiedAt),
  };
};

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new OutboundError('has a page that is no JSON');
  }
};

/** Writes all pages into one file, in the form that the reader expects. */
const fetchPages = async (asking: ListRequest, paging: NonNullable<SourceFetch['paging']>): Promise<FetchResult> => {
  const { fetch, path, signal } = asking;
  const [first, digest] = [toPageRequest(fetch), createHash('sha256')];
  let bytes = 0;
  let value: string | number | undefined = paging.first;
  for (let count = 0; value !== undefined; count++) {
    if (count === LIMITS.pages) throw new OutboundError(`has more than ${LIMITS.pages} pages`);
    if (count > 0) await sleep(fetch.pauseMs, undefined, { signal });
    const page = withParameter(first, paging.parameter, value);
    const answer = await fetchDocument(page.url, toRequestOptions(asking, page));
    requireOk(answer);
    const text = Buffer.concat([answer.body, Buffer.from('\n')]);
    bytes += text.length;
    if (bytes > LIMITS.bytes) throw new OutboundError(`is larger than ${LIMITS.bytes} bytes`);
    digest.update(text);
    await appendFile(path, text, { mode: 0o600 });
    value = findNextPage(paging, value, parseJson(answer.body));
  }
  return { url: fetch.url, bytes, sha256: digest.digest('hex'), validators: NO_VALIDATORS, modifiedAt: undefined };
};

/**
 * Fetches a published list into a file, conditionally if the publisher sent validators.
 * @throws OutboundError if the request is refused or fails; DomainError unreadable_file if pages do not follow each
 *   other
 */
export const fetchList = (asking: ListRequest): Promise<FetchResult> =>
  asking.fetch.paging ? fetchPages(asking, asking.fetch.paging) : fetchFile(asking);
