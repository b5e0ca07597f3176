import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_VALIDATORS, type Validators, validatorOf } from '../../../features/registers/policy.rule.ts';
import { type Downloaded, downloadTo } from '../../../platform/outbound/download.ts';
import { type Fetched, fetchDocument } from '../../../platform/outbound/fetch.ts';
import { OutboundError, type OutboundRules } from '../../../platform/outbound/rules.ts';
import { version } from '../../../version.ts';
import type { SourceFetch } from '../../sources/source.rule.ts';
import { type Page, pageAfter, withParameter } from './pages.rule.ts';

/** Bounds of one file. A mapping has the bound of one answer. */
const LIMITS = {
  pages: 5000,
  bytes: 4_000_000_000,
} as const;

/** How a list is asked for, and where its bytes go. */
export interface Asking {
  readonly fetch: SourceFetch;
  readonly rules: OutboundRules;
  /** Headers that the operator set, such as a key: only the publisher's host gets them. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
  /** Those of the file that is there; null: any answer is welcome. */
  readonly validators: Validators;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  /** For one answer: large files come slowly. */
  readonly timeoutMs: number;
}

/** A file that came in; undefined: the publisher says that the one that is there is still the one. */
export type Arrived =
  | {
      readonly url: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly validators: Validators;
      /** When the publisher last changed it, if it says so. */
      readonly modifiedAt: Date | undefined;
    }
  | undefined;

const requireOk = ({ status }: Pick<Downloaded | Fetched, 'status'>): void => {
  if (status !== 200) throw new OutboundError(`answers ${status}`);
};

const asked = ({ fetch, rules, signal, timeoutMs, ownHeaders = {} }: Asking, { body }: Page) => ({
  headers: { accept: '*/*', 'user-agent': `broker-rating/${version}`, ...fetch.headers },
  ownHeaders,
  rules,
  maxBytes: fetch.maxBytes,
  timeoutMs,
  signal,
  ...(body === undefined ? {} : { body, maxRedirects: 0 }),
});

const pageOf = ({ url, method, body }: SourceFetch): Page => ({
  url,
  ...(method === 'POST' ? { body: body ?? '' } : {}),
});

const fetchWhole = async (asking: Asking): Promise<Arrived> => {
  const { fetch, path, validators } = asking;
  const page = pageOf(fetch);
  const { etag, lastModified } = page.body === undefined ? validators : NO_VALIDATORS;
  const request = asked(asking, page);
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
    validators: { etag: validatorOf(answer.header('etag')), lastModified: validatorOf(modified) },
    modifiedAt: Number.isNaN(modifiedAt) ? undefined : new Date(modifiedAt),
  };
};

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new OutboundError('has a page that is no JSON');
  }
};

/** Keeps page after page in one file, as its reader takes them. */
const fetchPages = async (asking: Asking, paging: NonNullable<SourceFetch['paging']>): Promise<Arrived> => {
  const { fetch, path, signal } = asking;
  const [first, digest] = [pageOf(fetch), createHash('sha256')];
  let bytes = 0;
  let value: string | number | undefined = paging.first;
  for (let count = 0; value !== undefined; count++) {
    if (count === LIMITS.pages) throw new OutboundError(`has more than ${LIMITS.pages} pages`);
    if (count > 0) await sleep(fetch.pauseMs, undefined, { signal });
    const page = withParameter(first, paging.parameter, value);
    const answer = await fetchDocument(page.url, asked(asking, page));
    requireOk(answer);
    const text = Buffer.concat([answer.body, Buffer.from('\n')]);
    bytes += text.length;
    if (bytes > LIMITS.bytes) throw new OutboundError(`is larger than ${LIMITS.bytes} bytes`);
    digest.update(text);
    await appendFile(path, text, { mode: 0o600 });
    value = pageAfter(paging, value, parse(answer.body));
  }
  return { url: fetch.url, bytes, sha256: digest.digest('hex'), validators: NO_VALIDATORS, modifiedAt: undefined };
};

/**
 * Fetches a published list into a file, conditionally if the publisher said how.
 * @throws OutboundError if the request is refused or fails; DomainError unreadable_file if pages do not follow each other
 */
export const fetchList = (asking: Asking): Promise<Arrived> =>
  asking.fetch.paging ? fetchPages(asking, asking.fetch.paging) : fetchWhole(asking);
