import type { Ask } from '../wire.ts';

const CODINGS = [
  'br',
  'gzip',
  'br, gzip',
  'gzip;q=1, br;q=0.5',
  'br;q=0, gzip',
  'identity;q=0',
  '*',
  '*;q=0',
  'deflate',
];
const TYPES = [
  'application/json',
  'text/html',
  '*/*',
  'application/*;q=0.5',
  'application/json;q=0',
  'text/html, */*;q=0.1',
];

/** Headers other than validators that change an answer, or must not change it. */
const HEADERS = [
  ...CODINGS.map((coding) => [`Accept-Encoding: ${coding}`]),
  ...TYPES.map((type) => [`Accept: ${type}`]),
  ['Origin: https://app.example'],
  ['X-Request-Id: corpus-request-1'],
  ['X-Request-Id: short'],
  ['Range: bytes=0-9'],
  ['If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT'],
  ['If-Match: "other"'],
  ['Connection: close'],
  ['Cache-Control: no-cache'],
  ['Cookie: session=1'],
  ['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: evil.example'],
  ['Host: evil.example'],
  ['X-HTTP-Method-Override: DELETE'],
];

const validators = (etag: string): string[] => [
  etag,
  `W/${etag}`,
  '*',
  `"other", ${etag}`,
  `"other" , W/${etag}`,
  '"other"',
  etag.replaceAll('"', ''),
  '',
];

const preflight = (method: string): string[] => [
  'Origin: https://app.example',
  `Access-Control-Request-Method: ${method}`,
  'Access-Control-Request-Headers: authorization, content-type',
];

/** Requests one page in every way. */
const everyWay = async (ask: Ask, target: string): Promise<void> => {
  const kind = 'conditions';
  for (const coding of [[], ['Accept-Encoding: br'], ['Accept-Encoding: gzip']]) {
    const etag = (await ask(kind, { target, headers: coding })).headers.get('etag') ?? '"none"';
    for (const value of validators(etag)) await ask(kind, { target, headers: [...coding, `If-None-Match: ${value}`] });
    await ask(kind, { target, method: 'HEAD', headers: coding });
    await ask(kind, { target, method: 'HEAD', headers: [...coding, `If-None-Match: ${etag}`] });
  }
  for (const headers of HEADERS) await ask(kind, { target, headers });
  await ask('preflight', { target, method: 'OPTIONS' });
  for (const method of ['GET', 'POST', 'DELETE'])
    await ask('preflight', { target, method: 'OPTIONS', headers: preflight(method) });
};

/** Requests each page in every way: with validators, codings, media types, CORS, and headers that change nothing. */
export const conditions = async (ask: Ask, targets: readonly string[]): Promise<void> => {
  for (const target of targets) await everyWay(ask, target);
};
