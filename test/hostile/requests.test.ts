import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FilledService, startFilledService } from '../support/filled-service.ts';
import { type RawAnswer, RawConnection } from '../support/raw-http.ts';
import { reviewBody } from '../support/records.ts';
import { expectProper } from './proper.ts';

let service: FilledService;
let connection: RawConnection | undefined;

beforeAll(async () => {
  service = await startFilledService({ LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  connection?.destroy();
  await service.remove();
});

interface RawRequest {
  readonly method?: string;
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

const open = async (): Promise<RawConnection> => {
  if (connection === undefined || connection.ended) connection = await RawConnection.open(service.origin);
  return connection;
};

const encode = ({ method = 'GET', target, headers = [], body }: RawRequest): Buffer => {
  const content = Buffer.from(body ?? '');
  const framed = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const length = body === undefined || framed ? [] : [`Content-Length: ${content.length}`];
  const head = [`${method} ${target} HTTP/1.1`, 'Host: api.test', ...headers, ...length].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content]);
};

/**
 * Sends bytes on the connection that all requests share, and checks that it still works afterwards. Opens a new one if
 * the answer closed it.
 */
const sendRaw = async (request: RawRequest): Promise<RawAnswer> => {
  const used = await open();
  used.send(encode(request));
  const answer = await used.answer({ bodiless: request.method === 'HEAD' });
  if (answer === undefined) throw new Error('closed without an answer');
  if (answer.headers.get('connection') === 'close') connection = undefined;
  const next = await open();
  next.send('GET /healthz HTTP/1.1\r\nHost: api.test\r\n\r\n');
  const healthy = await next.answer();
  expect(healthy?.status, 'the next request on the connection').toBe(200);
  return answer;
};

const check = async (request: RawRequest): Promise<RawAnswer> => {
  const answer = await sendRaw(request);
  expectProper(answer, request.method === 'HEAD');
  return answer;
};

const readCode = ({ body }: RawAnswer): unknown => JSON.parse(body).code;

test.each(['/reviews', '/complaints'])('refuses a token in the query of a POST: %s', async (path) => {
  const answer = await check({
    method: 'POST',
    target: `/api/v1${path}?access_token=${service.verified}`,
    body: '{}',
    headers: ['Content-Type: application/json'],
  });
  expect(answer.status).toBe(401);
});

/** Texts that look alike, run right to left, hide characters, or grow under normalisation. */
const ODD_TEXTS: Readonly<Record<string, string>> = {
  'full width': '\uff41\uff4c\uff50\uff48\uff41',
  'letters of another script': '\u0430lpha m\u0430rkets',
  'direction overrides': '\u202eahpla\u202c \u2066x\u2069',
  'zero width': 'al\u200bp\u200dh\ufeffa',
  'combining marks': `a${'\u0301'.repeat(90)}lpha`,
  ligatures: '\ufb01\ufb03 \u2167 \ufdfa'.padEnd(90, '\ufdfa'),
  'beyond the basic plane': '\u{1d400}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(10),
  'dotted and dotless': '\u0130\u0131 \u1e9e\u00df',
  'private and unassigned': '\ue000\u{10fffd}\u0378 a',
};

describe('searches for odd Unicode like any text', () => {
  test.each(Object.entries(ODD_TEXTS))('%s', async (_, text) => {
    const answer = await check({ target: `/api/v1/search?q=${encodeURIComponent(text)}` });
    expect(answer.status).toBe(200);
  });

  test('a search finds a text that is the same in another Unicode form', async () => {
    const { body } = await check({
      target: `/api/v1/search?q=${encodeURIComponent(ODD_TEXTS['full width'] as string)}`,
    });
    expect(JSON.parse(body).data[0].slug).toBe('alpha-markets');
  });
});

test('returns odd Unicode as it was sent', async () => {
  const content = `Paid out in two days. ${Object.values(ODD_TEXTS).join(' ')}!`;
  const body = JSON.stringify(reviewBody('gamma-fx', { title: `${ODD_TEXTS['direction overrides']}!`, content }));
  const headers = [`Authorization: Bearer ${service.verified}`, 'Content-Type: application/json'];
  const answer = await check({ method: 'POST', target: '/api/v1/reviews', headers, body });
  expect(JSON.parse(answer.body)).toMatchObject({ title: `${ODD_TEXTS['direction overrides']}!`, content });
  const { id } = JSON.parse(answer.body);
  expect((await service.cli('review', 'reject', id, '--reason', 'not_a_review')).code).toBe(0);
});

test("never repeats a caller's Host in an answer", async () => {
  for (const target of [
    '/api/v1/brokers?limit=1',
    '/api/v1/nothing',
    '/openapi.json',
    'http://evil.example/api/v1/nothing',
  ]) {
    const used = await open();
    used.send(
      `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: ` +
        'host=evil.example\r\n\r\n',
    );
    const answer = await used.answer();
    expect(`${JSON.stringify([...(answer?.headers ?? [])])}${answer?.body}`).not.toContain('evil.example');
  }
});

describe('answers odd targets properly', () => {
  test.each<[target: string, ...statuses: number[]]>([
    ['http://api.test/api/v1/brokers', 200],
    ['http://evil.example/api/v1/regulators', 200],
    ['https://evil.example:9/api/v1/regulators/none', 404],
    ['http://api.test', 200],
    ['*', 400, 404],
    ['/', 200],
    ['//', 308],
    ['///', 308],
    ['//evil.example/api/v1/brokers', 404],
    ['//evil.example/..', 404],
    ['//metrics', 404],
    ['/%6detrics', 404],
    ['/metrics%23x', 404],
    ['/metrics%3Fx', 404],
    ['/metrics;x', 404],
    ['/METRICS', 404],
    ['/./metrics', 404],
    ['/api/../metrics', 404],
    ['/\\metrics', 404],
    ['/problems/__proto__', 404],
    ['/problems/constructor', 404],
    ['/problems/%', 404],
    ['/problems/%00', 404],
    ['/problems/..%2f', 404],
    ['/problems/', 308],
    ['/docs/', 308],
    ['/docs/assets', 404],
    ['/docs/assets/', 404],
    ['/docs/assets/%', 400, 404],
    ['/docs/assets/%00', 400, 404],
    ['/docs/assets/..', 404],
    ['/docs/assets/../package.json', 404],
    ['/docs/assets/..%2f..%2fpackage.json', 404],
    ['/docs/assets/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/docs/assets/..%5c..%5cpackage.json', 404],
    ['/docs/assets//etc/passwd', 404],
    [`/docs/assets/${'a'.repeat(5000)}`, 404],
    [`/docs/assets/${'a/'.repeat(3000)}`, 404],
    [`/${'a'.repeat(15_000)}`, 404],
    [`/${'a/'.repeat(7500)}`, 404],
    [`/api/v1/${'/'.repeat(10_000)}`, 404],
    [`/api/v1/brokers/${'%2e%2e%2f'.repeat(1500)}`, 400],
    ['/openapi.json/', 404],
    ['/openapi.json?x[]=%', 200],
    ['/healthz/', 404],
    ['/metrics/..', 404],
    ['/.env', 404],
    ['/.git/config', 404],
    ['/server-status', 404],
  ])('%s', async (target, ...statuses) => {
    expect(statuses).toContain((await check({ target })).status);
  });

  test('refuses a path with a blank at its end, rather than trim it', async () => {
    for (const target of ['/metrics\xa0', '/readyz\xa0', '/metrics\x0c', '/metrics\t'])
      expect((await check({ target })).status).toBe(400);
  });

  test('refuses bytes beyond ASCII in a path', async () => {
    expect((await check({ target: '/api/v1/brokers/\xe4lpha' })).status).toBe(400);
    expect((await check({ target: '/api/v1/\xff\xfe' })).status).toBe(400);
  });
});

describe('answers odd methods properly', () => {
  test.each([
    { method: 'HEAD', target: '/api/v1/brokers', status: 200 },
    { method: 'HEAD', target: '/api/v1/brokers/none', status: 404 },
    { method: 'HEAD', target: '/api/v1/brokers?limit=x', status: 400 },
    { method: 'OPTIONS', target: '/api/v1/brokers', status: 204 },
    { method: 'OPTIONS', target: '*', status: 404 },
    { method: 'OPTIONS', target: '/nothing', status: 404 },
    { method: 'DELETE', target: '/api/v1/nothing', status: 404 },
    { method: 'DELETE', target: '/openapi.json', status: 405 },
    { method: 'POST', target: '/api/v1', status: 405 },
    { method: 'POST', target: '/docs', status: 404 },
  ])('answers $method $target by $status', async ({ status, ...request }) => {
    expect((await check(request)).status).toBe(status);
  });

  test.each(['get', 'Get', 'FOO', 'GET/', '', 'G\0T', 'GÉT', 'A'.repeat(1000)])(
    'refuses the unknown method %j',
    async (method) => {
      const answer = await check({ method, target: '/api/v1/brokers' });
      expect(answer.status).toBe(400);
      expect(readCode(answer)).toBe('bad_request');
    },
  );
});

describe('answers hostile headers properly', () => {
  const targets = ['/api/v1/brokers', '/api/v1/nothing'];
  const lines: readonly string[] = [
    'Accept:',
    'Accept: ,',
    'Accept: /',
    'Accept: */*;q=x',
    'Accept: text/*;q=0.1, */*;q=0',
    'Accept: application/json;q=0',
    `Accept: ${'a/b,'.repeat(2500)}`,
    `Accept: ${'a'.repeat(14_000)}`,
    'Accept-Encoding:',
    'Accept-Encoding: *;q=0',
    'Accept-Encoding: identity;q=0',
    'Accept-Encoding: br;q=abc, gzip;q=-1',
    `Accept-Encoding: ${'x,'.repeat(6000)}`,
    'Accept-Encoding: br, gzip',
    'Accept-Language: \xff',
    'Accept-Charset: none',
    'If-None-Match: *',
    'If-None-Match:',
    'If-None-Match: "',
    'If-None-Match: W/',
    `If-None-Match: ${'"x",'.repeat(3000)}`,
    'If-Match: "x"',
    'If-Modified-Since: never',
    'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
    'Range: bytes=0-',
    'Range: bytes=9999999-',
    'Range: x',
    'If-Range: "x"',
    'Authorization:',
    'Authorization: Bearer',
    'Authorization: Bearer ',
    'Authorization: Bearer  x',
    'Authorization: Basic YTpi',
    'Authorization: bearer btr_x',
    'Authorization: Bearer \xff',
    'Authorization: Bearer {"$ne":null}',
    'Authorization: x y z',
    `Authorization: Bearer ${'a'.repeat(14_000)}`,
    `Authorization: Bearer btr_${'A'.repeat(43)}00000000`,
    'Origin: null',
    'Origin: \xff',
    'Access-Control-Request-Method: DELETE',
    'Referer: \x80',
    'X-Forwarded-For: 1.2.3.4',
    'X-Forwarded-For: ,,,',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: \xff',
    'Forwarded: for="',
    'X-HTTP-Method-Override: DELETE',
    'X-Request-Id: <script>',
    `X-Request-Id: ${'a'.repeat(9000)}`,
    'X-Request-Id: a\tb',
    'Cookie: $ne=1; =; ;;',
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'Content-Length: 0',
    'Upgrade: h2c',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    'TE: trailers',
    'Via: 1.1 x',
    'Max-Forwards: 0',
    '__proto__: x',
    'constructor: x',
    'hasOwnProperty: x',
    'X-Empty:',
    `X-Many: 1\r\n${'X: 1\r\n'.repeat(1800)}X-Last: 1`,
  ];
  test.each(targets.flatMap((target) => lines.map((line) => ({ target, line: line }))))(
    'answers a hostile header properly: $target $line',
    async ({ target, line }) => {
      const answer = await check({ target, headers: [line] });
      const refused = /^Accept:( text| application\/json;q=0| \*\/\*;q=x| \/| ,| a)/.test(line);
      const crowded = line.startsWith('X-Many');
      if (crowded) expect([200, 404, 431]).toContain(answer.status);
      if (crowded) return;
      if (/^(Accept|Accept-Encoding|If-None-Match):/.test(line) && line.length > 5000) {
        expect([answer.status, readCode(answer)]).toEqual([431, 'headers_too_large']);
        return;
      }
      const statuses = refused ? [200, 404, 406] : target.endsWith('nothing') ? [404] : [200, 304];
      expect(statuses).toContain(answer.status);
    },
  );

  test('refuses too many bytes of headers', async () => {
    const answer = await check({ target: '/api/v1/brokers', headers: [`X-Big: ${'a'.repeat(17_000)}`] });
    expect([answer.status, readCode(answer)]).toEqual([431, 'headers_too_large']);
  });

  test('refuses two credentials', async () => {
    const headers = [
      'Content-Type: application/json',
      `Authorization: Bearer ${service.verified}`,
      'Authorization: Bearer x',
    ];
    const answer = await check({ method: 'POST', target: '/api/v1/reviews', headers, body: '{}' });
    expect([400, 401]).toContain(answer.status);
  });

  test.each<[line: string, ...statuses: number[]]>([
    ['Range: bytes=0-10', 200],
    ['Range: bytes=99999999-', 200],
    ['If-Match: "x"', 200, 400],
    ['If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT', 200, 400],
    ['If-None-Match: *', 200, 304],
    ['Accept: text/nothing', 200],
  ])('serves the reference page for %s', async (line, ...statuses) => {
    const answer = await sendRaw({ target: '/docs', headers: [line] });
    expect(statuses).toContain(answer.status);
    if (answer.status >= 400) expectProper(answer);
  });
});

interface BodyCase {
  readonly title: string;
  readonly body: string | Buffer;
  readonly status?: number;
  readonly headers?: readonly string[];
}

const JSON_TYPE = 'Content-Type: application/json';
const PAYLOAD = reviewBody('alpha-markets');
const text = JSON.stringify(PAYLOAD);
const before = (fields: string): string => `{${fields},${text.slice(1)}`;

const bodies: readonly BodyCase[] = [
  { title: 'nothing', body: '', status: 400 },
  ...[
    'null',
    'true',
    '42',
    '"text"',
    '[]',
    '{}',
    '[{}]',
    ' ',
    '\n',
    '{',
    '}',
    '{]',
    '[[',
    '{"a":}',
    '{"a":1,}',
    "{'a':1}",
  ].map((body) => ({ title: body, body, status: 400 })),
  ...[
    'NaN',
    'undefined',
    '{a:1}',
    '{"a":01}',
    '{"a":1}{"a":1}',
    '// no\n{}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '\0',
    `${text}\0`,
  ].map((body) => ({ title: JSON.stringify(body).slice(0, 40), body, status: 400 })),
  { title: 'a byte order mark', body: `\ufeff${text}` },
  { title: 'UTF-16 with its mark', body: Buffer.from(`\ufeff${text}`, 'utf16le'), status: 400 },
  { title: 'a byte that is no UTF-8', body: Buffer.from(text.replace('I', '\xff'), 'latin1'), status: 400 },
  {
    title: 'an overlong form',
    body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    status: 400,
  },
  {
    title: 'a surrogate in bytes',
    body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    status: 400,
  },
  {
    title: 'half a character at the end',
    body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe2, 0x82])]),
    status: 400,
  },
  { title: 'gzip without saying so', body: Buffer.from('1f8b0800000000000003', 'hex'), status: 400 },
  { title: 'an unknown field named by half a surrogate pair', body: before('"\\ud800":1'), status: 400 },
  {
    title: 'an unknown field whose name is cut inside a pair',
    body: before(`"${'a'.repeat(199)}${'\u{1f4a9}'.repeat(30)}":1`),
    status: 400,
  },
  { title: 'a field twice', body: before(`"broker":{"$ne":null}`) },
  { title: 'a prototype with the fields', body: `{"__proto__":${text}}`, status: 400 },
  {
    title: '6000 unknown fields',
    body: `{${Array.from({ length: 6000 }, (_, i) => `"${i}":1`).join()}}`,
    status: 400,
  },
  { title: 'a very long name', body: `{"${'k'.repeat(60_000)}":1}`, status: 400 },
  ...[100, 1000, 30_000].map((depth) => ({
    title: `${depth} arrays deep`,
    body: '['.repeat(depth) + ']'.repeat(depth),
    status: 400,
  })),
  ...[100, 5000].map((depth) => ({
    title: `title ${depth} objects deep`,
    body: before(`"title2":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    status: 400,
  })),
  { title: '30 000 arrays not closed', body: '['.repeat(30_000), status: 400 },
  { title: 'one byte too many', body: `${text}${' '.repeat(65_537 - Buffer.byteLength(text))}`, status: 413 },
  { title: 'a megabyte', body: `${text}${' '.repeat(1_000_000)}`, status: 413 },
];

describe('answers hostile bodies properly', () => {
  const send = ({ body, headers = [JSON_TYPE] }: Pick<BodyCase, 'body' | 'headers'>, token = service.verified) =>
    check({ method: 'POST', target: '/api/v1/reviews', headers: [`Authorization: Bearer ${token}`, ...headers], body });

  test.each(bodies)('answers a hostile body properly: $title', async (request) => {
    const answer = await send(request);
    if (request.status !== undefined) expect(answer.status).toBe(request.status);
    if (answer.status === 400) {
      const { code, errors = [] } = JSON.parse(answer.body);
      expect(['invalid_request', 'malformed_json']).toContain(code);
      if (code === 'invalid_request') expect(errors).not.toEqual([]);
      for (const { pointer } of errors) expect(pointer).toMatch(/^#(\/|$)/);
    }
  });

  test.each<[line: string, status: number]>([
    ['Content-Type: text/plain', 415],
    ['Content-Type: application/x-www-form-urlencoded', 415],
    ['Content-Type: multipart/form-data; boundary=x', 415],
    ['Content-Type: application/xml', 415],
    ['Content-Type: application/problem+json', 415],
    ['Content-Type: application/jsonp', 415],
    ['Content-Type: json', 415],
    ['Content-Type: */*', 415],
    ['Content-Type:', 415],
    ['Content-Type: ;', 415],
    ['Content-Type: application/json, text/plain', 415],
    ['Content-Type: application/json; charset=latin1', 415],
    ['Content-Type: application/json; charset=none', 415],
    ['Content-Type: application/json; charset=utf-9', 415],
    ['Content-Type: application/json; charset=utf-7', 415],
    ['Content-Type: application/json; charset=utf-16', 415],
    ['Content-Type: application/json; charset=utf-16be', 415],
    ['Content-Type: application/json; charset=utf-32', 415],
    [`${JSON_TYPE}\r\nContent-Encoding: gzip`, 415],
    [`${JSON_TYPE}\r\nContent-Encoding: br`, 415],
    [`${JSON_TYPE}\r\nContent-Encoding: deflate, gzip`, 415],
    [`${JSON_TYPE}\r\nContent-Encoding: \xff`, 415],
    [`${JSON_TYPE}\r\nIdempotency-Key:`, 400],
    [`${JSON_TYPE}\r\nIdempotency-Key: ${'k'.repeat(256)}`, 400],
    [`${JSON_TYPE}\r\nIdempotency-Key: a b`, 400],
    [`${JSON_TYPE}\r\nIdempotency-Key: \xff`, 400],
    [`${JSON_TYPE}\r\nIdempotency-Key: a\tb`, 400],
    [`${JSON_TYPE}\r\nIdempotency-Key: a\r\nIdempotency-Key: b`, 400],
  ])('%s', async (line, status) => {
    expect((await send({ body: text, headers: [line] })).status).toBe(status);
  });

  test('refuses a body without a content type', async () => {
    expect((await send({ body: '{}', headers: [] })).status).toBe(415);
  });

  test.each(['5;x=y\r\n{"a":\r\n2\r\n1}\r\n0\r\nTrailer: x\r\n\r\n', '0\r\n\r\n'])(
    'refuses the chunks %j',
    async (body) => {
      expect((await send({ body, headers: [JSON_TYPE, 'Transfer-Encoding: chunked'] })).status).toBe(400);
    },
  );

  test('refuses more than 64 kB in chunks', async () => {
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
    const answer = await send({
      body: `${chunk.repeat(20)}0\r\n\r\n`,
      headers: [JSON_TYPE, 'Transfer-Encoding: chunked'],
    });
    expect(answer.status).toBe(413);
  });

  test.each(['', 'x', 'btr_', `btr_${'A'.repeat(51)}`, '{"$ne":null}', 'null', '../..', '\xff', 'a'.repeat(10_000)])(
    'refuses the token %s',
    async (token) => {
      const answer = await send({ body: text }, token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"(, error="invalid_token")?$/);
    },
  );

  test('refuses a token in the body', async () => {
    const body = JSON.stringify({ ...PAYLOAD, access_token: service.verified });
    const answer = await check({ method: 'POST', target: '/api/v1/reviews', headers: [JSON_TYPE], body });
    expect([answer.status, readCode(answer)]).toEqual([401, 'authentication_required']);
  });
});

test('keeps the connection in step after a GET with a body', async () => {
  const body = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n';
  expect((await check({ target: '/api/v1/brokers', body })).status).toBe(200);
});

test('stores nothing hostile', async () => {
  const { stdout } = await service.cli('review', 'list', '--status', 'published', '--json');
  expect(JSON.parse(stdout)).toHaveLength(1);
  const pending = await service.cli('review', 'list', '--json');
  expect(JSON.parse(pending.stdout)).toEqual([]);
});
