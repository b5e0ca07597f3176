import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FilledService, startFilledService } from '../support/filled-service.ts';
import { type RawAnswer, RawConnection } from '../support/raw-http.ts';
import { reviewBody } from '../support/records.ts';
import { until } from '../support/until.ts';
import { expectProper } from './proper.ts';

let service: FilledService;
const connections: RawConnection[] = [];

/**
 * Milliseconds until the service cuts off a caller that reads nothing. Starts before the first test, because it takes
 * long.
 */
let stalledReader: Promise<number>;

beforeAll(async () => {
  service = await startFilledService({ LOG_LEVEL: 'silent' });
  stalledReader = takeNothing();
});
afterAll(async () => {
  for (const connection of connections) connection.destroy();
  await service.remove();
});

const open = async (): Promise<RawConnection> => {
  const connection = await RawConnection.open(service.origin);
  connections.push(connection);
  return connection;
};

/** Requests more than all buffers on the way hold, and reads nothing until the service cuts the connection. */
const takeNothing = async (): Promise<number> => {
  const connection = await open();
  connection.socket.pause();
  const began = Date.now();
  connection.send('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(150));
  await until('the connection is cut', 50_000, async () => {
    connection.send('\r\n'); // a write after the cut is answered by a reset
    return connection.ended;
  });
  return Date.now() - began;
};

const readCode = (answer: RawAnswer | undefined): string | undefined => answer && JSON.parse(answer.body).code;

const HEAD = 'GET /api/v1/regulators/fca HTTP/1.1\r\n';
const GOOD = `${HEAD}Host: api.test\r\n\r\n`;
const postHead = (): string =>
  `POST /api/v1/reviews HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${service.verified}\r\n` +
  'Content-Type: application/json\r\n';

const expectServing = async (): Promise<void> => {
  const connection = await open();
  connection.send(GOOD);
  expect((await connection.answer())?.status).toBe(200);
  connection.destroy();
};

/** Headers that every answer has, refusals included. */
const EVERYWHERE = [
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
  'strict-transport-security',
  'cache-control',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-request-id',
];

/** Sends bytes, and expects one problem document followed by the end of the connection. */
const expectRefused = async (bytes: string | Buffer, ...codes: string[]): Promise<void> => {
  const connection = await open();
  connection.send(bytes);
  const answer = await connection.answer({ timeoutMs: 2000 });
  if (answer === undefined) throw new Error('closed without an answer');
  expectProper(answer);
  expect([...answer.headers.keys()]).toEqual(expect.arrayContaining(EVERYWHERE));
  expect(codes).toContain(readCode(answer));
  await connection.gone();
  await expectServing();
};

describe('refuses bytes that are no request', () => {
  test.each<[title: string, bytes: string | Buffer]>([
    ['random bytes', Buffer.from('8f3c00ff1b2a9d0d0a0d0a77', 'hex')],
    ['NULs', Buffer.alloc(100)],
    ['a TLS hello', Buffer.from('1603010200010001fc0303', 'hex')],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['SMTP', 'EHLO me\r\n'],
    ['Redis', '*1\r\n$4\r\nPING\r\n'],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['HTTP/3', 'GET / HTTP/3.0\r\nHost: x\r\n\r\n'],
    ['HTTP/1.10', 'GET / HTTP/1.10\r\nHost: x\r\n\r\n'],
    ['lower-case http', 'GET / http/1.1\r\nHost: x\r\n\r\n'],
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a blank in the target', 'GET /api v1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no target', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a control character in the target', 'GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a JSON text', '{"broker":"alpha-markets"}\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    await expectRefused(bytes, 'bad_request');
  });
});

describe('handles broken headers properly', () => {
  test.each<[title: string, lines: string]>([
    ['no Host', ''],
    ['two Hosts', 'Host: a\r\nHost: b\r\n'],
    ['the same Host twice', 'Host: a\r\nhost: a\r\n'],
    ['a line without colon', 'Host: a\r\nNonsense\r\n'],
    ['a blank before the colon', 'Host : a\r\n'],
    ['a line without name', 'Host: a\r\n: x\r\n'],
    ['a blank in a name', 'Host: a\r\nX Y: 1\r\n'],
    ['a folded line', 'Host: a\r\n X: 1\r\n'],
    ['NUL in a value', 'Host: a\r\nX: a\0b\r\n'],
    ['NUL in a name', 'Host: a\r\nX\0: a\r\n'],
    ['a lone carriage return', 'Host: a\r\nX: a\rY: b\r\n'],
    ['a control character', 'Host: a\r\nX: \x01\r\n'],
    ['a bare line feed', 'Host: a\nX: b\r\n'],
    ['a name with bytes beyond ASCII', 'Host: a\r\nX\xe4: b\r\n'],
  ])('%s', async (_, lines) => {
    await expectRefused(`${HEAD}${lines}\r\n`, 'bad_request');
  });

  test('refuses line feeds only', async () => {
    await expectRefused(GOOD.replaceAll('\r', ''), 'bad_request');
  });

  test('refuses one header that is too long', async () => {
    await expectRefused(`${HEAD}Host: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large');
  });

  test('refuses headers that never end', async () => {
    await expectRefused(`${HEAD}Host: a\r\n${'X-Header: x\r\n'.repeat(3000)}`, 'headers_too_large');
  });

  test('refuses a target that never ends', async () => {
    await expectRefused(`GET /${'a'.repeat(40_000)}`, 'headers_too_large', 'bad_request');
  });

  test.each(['', ' ', 'a b', 'a,b', 'a:b', '[::1', '\xff', 'a/b', '"', 'x'.repeat(9000)])(
    'answers or refuses Host: %j',
    async (host) => {
      const connection = await open();
      connection.send(`${HEAD}Host: ${host}\r\n\r\n`);
      const answer = await connection.answer();
      if (answer) expectProper(answer);
      expect([200, 400]).toContain(answer?.status);
      await expectServing();
    },
  );

  test('refuses two Hosts in HTTP/1.0, too', async () => {
    await expectRefused('GET /api/v1/regulators/fca HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 'bad_request');
  });

  test.each(['Accept', 'Accept-Encoding', 'If-None-Match'])('refuses %s of kilobytes by its name', async (name) => {
    const connection = await open();
    connection.send(`${HEAD}Host: a\r\n${name}: ${'a/b,'.repeat(2000)}\r\n\r\n`);
    const answer = (await connection.answer()) as RawAnswer;
    expectProper(answer);
    expect([answer.status, JSON.parse(answer.body).detail]).toEqual([431, expect.stringContaining(name.toLowerCase())]);
    await connection.gone();
  });

  test('needs no Host in HTTP/1.0', async () => {
    const connection = await open();
    connection.send('GET /api/v1/regulators/fca HTTP/1.0\r\n\r\n');
    expect((await connection.answer())?.status).toBe(200);
    await connection.gone();
  });

  test('ends the connection after an answer that announces it, even if the caller keeps it open', async () => {
    const connection = await open();
    connection.send(`${HEAD}Host: a\r\nConnection: close\r\n\r\n`);
    expect((await connection.answer())?.headers.get('connection')).toBe('close');
    await connection.gone();
  });
});

describe('refuses the broken framing of a body', () => {
  const body = JSON.stringify({});
  test.each<[title: string, rest: string]>([
    ['a negative length', `Content-Length: -1\r\n\r\n${body}`],
    ['a length with a sign', `Content-Length: +2\r\n\r\n${body}`],
    ['a length in letters', `Content-Length: two\r\n\r\n${body}`],
    ['a length with more behind', `Content-Length: 2x\r\n\r\n${body}`],
    ['a hexadecimal length', `Content-Length: 0x2\r\n\r\n${body}`],
    ['a fraction', `Content-Length: 2.0\r\n\r\n${body}`],
    ['a list of lengths', `Content-Length: 2, 2\r\n\r\n${body}`],
    ['an empty length', `Content-Length:\r\n\r\n${body}`],
    ['a length beyond 64 bits', `Content-Length: 99999999999999999999\r\n\r\n${body}`],
    ['two lengths', `Content-Length: 2\r\nContent-Length: 3\r\n\r\n${body}`],
    ['the same length twice', `Content-Length: 2\r\nContent-Length: 2\r\n\r\n${body}`],
    ['length and chunks', `Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['chunks and length', `Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['chunked not last', `Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk size in letters', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['a negative chunk', 'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n'],
    ['an enormous chunk', 'Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than it says', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n'],
    ['chunks by bare line feeds', 'Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n'],
    ['a chunk extension without end', `Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}`],
  ])('%s', async (_, rest) => {
    await expectRefused(postHead() + rest, 'bad_request', 'malformed_json');
  });

  test('refuses a body at once if its announced length is too large', async () => {
    await expectRefusedEarly('Content-Length: 10000000\r\n\r\n', 413, 'content_too_large');
  });

  const expectRefusedEarly = async (rest: string, status: number, code: string): Promise<void> => {
    const connection = await open();
    connection.send(postHead() + rest);
    const answer = await connection.answer({ timeoutMs: 2000 });
    expect([answer?.status, readCode(answer)]).toEqual([status, code]);
    await expectServing();
  };
});

describe('several requests on one connection', () => {
  test('twenty requests at once on one connection are answered in order', async () => {
    const connection = await open();
    const paths = Array.from({ length: 20 }, (_, i) => (i % 2 ? '/api/v1/regulators/fca' : `/api/v1/none/${i}`));
    connection.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    for (const path of paths) {
      const answer = await connection.answer();
      expect(answer?.status).toBe(path.endsWith('fca') ? 200 : 404);
      if (answer?.status === 404) expect(JSON.parse(answer.body).instance).toBe(path);
    }
  });

  test('nonsense after a good request ends the connection with proper answers', async () => {
    const connection = await open();
    connection.send(`${GOOD}NONSENSE\r\n\r\n`);
    for (let answer = await connection.answer(); answer; answer = await connection.answer()) expectProper(answer);
    await connection.closed();
    await expectServing();
  });

  test('a request hidden in a body is not answered as one', async () => {
    const connection = await open();
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
    connection.send(`${HEAD}Host: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}${GOOD}`);
    expect([(await connection.answer())?.status, (await connection.answer())?.status]).toEqual([200, 200]);
  });

  test('blank lines before a request are ignored', async () => {
    const connection = await open();
    connection.send(`\r\n\r\n${GOOD}\r\n${GOOD}`);
    expect([(await connection.answer())?.status, (await connection.answer())?.status]).toEqual([200, 200]);
  });

  test('a request may arrive byte by byte', async () => {
    const connection = await open();
    for (const byte of GOOD) {
      connection.send(byte);
      await new Promise(setImmediate);
    }
    expect((await connection.answer())?.status).toBe(200);
  });
});

describe('Expect, CONNECT and Upgrade', () => {
  test('answers 100-continue, and then the request', async () => {
    const body = JSON.stringify(reviewBody('none'));
    const connection = await open();
    connection.send(`${postHead()}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
    await until('100 Continue', 2000, async () => connection.socket.bytesRead > 0);
    connection.send(body);
    const answer = await connection.answer();
    expect(readCode(answer)).toBe('broker_not_found');
  });

  test.each(['200-ok', '100-continue, x', '', '\xff'])('answers or refuses Expect: %j', async (expectation) => {
    const connection = await open();
    connection.send(`${HEAD}Host: a\r\nExpect: ${expectation}\r\n\r\n`);
    const answer = (await connection.answer()) as RawAnswer;
    expectProper(answer);
    expect([200, 417]).toContain(answer.status);
    await expectServing();
  });

  test.each(['example.com:443', '/', 'x', '[::1]:80', '*'])('refuses CONNECT %s', async (target) => {
    await expectRefused(`CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, 'method_not_allowed', 'bad_request');
  });

  test('survives callers that send CONNECT and reset the connection at once', async () => {
    for (let n = 0; n < 50; n++) {
      const connection = await open();
      connection.send('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      setImmediate(() => connection.socket.resetAndDestroy());
      await connection.closed();
    }
    await expectServing();
  });

  test.each(['websocket', 'h2c', 'TLS/1.3', ''])('ignores Upgrade: %s', async (protocol) => {
    const connection = await open();
    const upgrade =
      `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: dGVzdA==\r\nSec-WebSocket-Version: ` +
      '13\r\n';
    connection.send(`${HEAD}Host: a\r\n${upgrade}\r\n`);
    const answer = (await connection.answer()) as RawAnswer;
    expectProper(answer);
    expect(answer.status).toBe(200);
    await expectServing();
  });
});

test('survives callers that leave early', async () => {
  const bodyHead = `${postHead()}Content-Length: 500\r\n\r\n{"broker":`;
  const starts = ['', 'GET', HEAD, `${HEAD}Host: a`, GOOD, GOOD.repeat(50), bodyHead, `${bodyHead}\0`];
  const leaves: ((connection: RawConnection) => void)[] = [
    ({ socket }) => socket.end(),
    ({ socket }) => socket.destroy(),
    ({ socket }) => socket.resetAndDestroy(),
  ];
  await Promise.all(
    starts.flatMap((start) =>
      leaves.map(async (leave) => {
        const connection = await open();
        connection.send(start);
        leave(connection);
        await connection.closed();
      }),
    ),
  );
  await expectServing();
});

test('cuts off callers that stall, whichever part of a request they delay', async () => {
  const trickle = (connection: RawConnection, byte: string): NodeJS.Timeout =>
    setInterval(() => connection.send(byte), 500);
  /** Sends the start of a request, then optionally a byte now and then. Expects a 408 within this range of seconds. */
  const stall = async (start: string, [from, to]: readonly [number, number], drip?: string): Promise<void> => {
    const connection = await open();
    const began = Date.now();
    connection.send(start);
    const timer = drip === undefined ? undefined : trickle(connection, drip);
    try {
      const answer = await connection.answer({ timeoutMs: to * 1000 });
      const seconds = (Date.now() - began) / 1000;
      const shown = `${JSON.stringify(start.slice(0, 40))} after ${seconds} s`;
      expect(seconds, shown).toBeGreaterThan(from);
      expect([answer?.status, readCode(answer)], shown).toEqual([408, 'request_timeout']);
      expectProper({ ...(answer as RawAnswer), ms: 0 });
      await connection.gone();
    } finally {
      clearInterval(timer);
    }
  };
  const idle = async (): Promise<void> => {
    const connection = await open();
    connection.send(GOOD);
    expect((await connection.answer())?.status).toBe(200);
    await connection.closed(14_000);
    await connection.gone();
  };
  const headers = [9, 12] as const;
  const whole = [13, 17.5] as const;
  await Promise.all([
    stall('', headers),
    stall('GE', headers),
    stall(HEAD, headers),
    stall(`${HEAD}Host: a\r\nX: `, headers, 'x'),
    stall(HEAD, headers, 'A: b\r\n'),
    stall(`${postHead()}Content-Length: 500\r\n\r\n`, whole),
    stall(`${postHead()}Content-Length: 500\r\n\r\n{`, whole, ' '),
    stall(`${postHead()}Transfer-Encoding: chunked\r\n\r\n5\r\n{`, whole),
    stall(`${postHead()}Transfer-Encoding: chunked\r\n\r\n`, whole, '1\r\n \r\n'),
    idle(),
  ]);
  await expectServing();
});

test('cuts off a caller that reads nothing of an answer', async () => {
  expect(await stalledReader).toBeGreaterThan(25_000);
  await expectServing();
});
