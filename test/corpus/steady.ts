import { hash } from 'node:crypto';
import type { Page } from './page.ts';

/** An answer as received, with its request. */
export interface ReceivedPage extends Omit<Page, 'body'> {
  readonly bytes: Buffer;
}

interface SteadyRule {
  /** The reason why the value varies although the answer is the same. */
  readonly reason: string;
  /** Returns the value without its variable parts. Undefined omits it. */
  readonly steady: (value: string, page: ReceivedPage) => string | undefined;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

const hasToken = ({ sent }: ReceivedPage): boolean => sent.some((line) => /^authorization:/i.test(line));

/** Headers that vary between two answers to one request. All others are compared as they are, ETags included. */
const HEADERS: Readonly<Record<string, SteadyRule>> = {
  date: { reason: 'the time of the machine, which CLOCK does not set', steady: () => '<now>' },
  age: { reason: 'only a machine that is late with the change stream sends it', steady: () => undefined },
  'x-request-id': { reason: 'is random where none was sent', steady: (id) => id.replace(UUID, '<uuid>') },
  'retry-after': { reason: 'counts the seconds of a window', steady: () => '<seconds>' },
  ratelimit: {
    reason:
      'counts the seconds of a window; an account has one window for all its requests, which may end between them',
    steady: (value, page) => {
      const timeless = value.replace(/;t=\d+/g, ';t=<seconds>');
      return hasToken(page) ? timeless.replace(/;r=\d+/g, ';r=<left>') : timeless;
    },
  },
};

/**
 * Texts in bodies that vary. Written entries are new each time; entries that are only read keep their ids from the
 * database.
 */
const BODIES: readonly (SteadyRule & { readonly of: (page: ReceivedPage) => boolean })[] = [
  {
    reason: 'problems repeat the request id, as JSON and as pages',
    of: ({ headers }) => /^(application\/problem\+json|text\/html)/.test(headers['content-type'] ?? ''),
    steady: (text) => text.replace(new RegExp(`("requestId":"|Number of this request: )${UUID.source}`), '$1<uuid>'),
  },
  {
    reason: 'what a POST makes has an id, a reference and the time at which it was made',
    of: ({ status, method }) => method === 'POST' && status === 201,
    steady: (text) =>
      text
        .replace(/("(?:id|reference)":")[^"]+/g, '$1<new>')
        .replace(/("\w+At":"|"appealUntil":")[\d-]{10}T[^"]+/g, '$1<now>'),
  },
  {
    reason: 'the values of metrics count what happened; their names, types and texts stay',
    of: ({ target }) => target === '/metrics',
    steady: (text) => text.replace(/^[^#].*\n/gm, ''),
  },
];

/** Returns true for the `Content-Length` of the metrics, which depends on their values. */
const isMetricsLength = (name: string, { target }: ReceivedPage): boolean =>
  name === 'content-length' && target === '/metrics';

const normaliseHeaders = (page: ReceivedPage): Page['headers'] =>
  Object.fromEntries(
    Object.entries(page.headers)
      .map(([name, value]) => [
        name,
        isMetricsLength(name, page) ? '<length>' : HEADERS[name] ? HEADERS[name].steady(value, page) : value,
      ])
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

const isReadable = ({ headers }: ReceivedPage): boolean =>
  headers['content-encoding'] === undefined &&
  /^(application\/(problem\+)?json|text\/(html|plain))/.test(headers['content-type'] ?? '');

const normaliseBody = (page: ReceivedPage): string => {
  const { bytes } = page;
  if (bytes.length === 0) return '';
  if (!isReadable(page)) return `${bytes.length} bytes, SHA-256 ${hash('sha256', bytes)}`;
  const rules = BODIES.filter(({ of }) => of(page));
  return rules.reduce((text, { steady }) => steady(text, page) ?? text, bytes.toString());
};

/** Normalises what may vary between two answers to one request, by the tables above. */
export const normalisePage = (answered: ReceivedPage): Page => {
  const { kind, method, target, sent, content, status } = answered;
  return {
    kind,
    method,
    target,
    sent,
    ...(content === undefined ? {} : { content }),
    status,
    headers: normaliseHeaders(answered),
    body: normaliseBody(answered),
  };
};
