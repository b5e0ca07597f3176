import type { Socket } from 'node:net';
import { answers, answersOrFails, asksAtMost, endsWithin, fails, must, sends, should, TOKEN } from '../checks.ts';
import { BROKER, buildHead, GET, JSON_TYPE, NAME, type Scenario, sendBroker, TIMEOUT_MS } from './scenario.ts';

const TEXT = JSON.stringify(BROKER);

const ENDED_IN_TIME = [must(fails()), should(fails('timeout')), should(endsWithin(TIMEOUT_MS + 2_000))];

/** Sends a piece again and again until the client leaves. The interval ends with the connection. */
const drip = (socket: Socket, piece: string, everyMs: number): undefined => {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once('close', () => clearInterval(timer));
};

/** Connections that break, hang, drip or speak an odd HTTP. */
export const CONNECTIONS: readonly Scenario[] = [
  {
    name: 'plain',
    server: 'The server answers as it should.',
    why: 'A client that fails here is not set up: look at it first.',
    task: GET,
    answer: () => sendBroker(),
    checks: [must(answers(NAME)), must(asksAtMost(1)), must(sends(1, 'Authorization', `Bearer ${TOKEN}`))],
  },
  {
    name: 'reset-once',
    server: 'The server resets the first connection, and answers the next request.',
    why: 'Connections break every day; a read can be repeated without harm.',
    task: GET,
    answer: ({ nth, socket }) => {
      if (nth > 1) return sendBroker();
      socket.resetAndDestroy();
      return undefined;
    },
    checks: [must(answersOrFails(NAME)), should(answers(NAME))],
  },
  {
    name: 'reset-always',
    server: 'The server resets every connection.',
    why: 'A client that tries for ever makes an outage longer.',
    task: GET,
    answer: ({ socket }) => {
      socket.resetAndDestroy();
      return undefined;
    },
    checks: [must(fails()), must(asksAtMost(10)), should(fails('network'))],
  },
  {
    name: 'hang-before-headers',
    server: 'The server takes the request and says nothing.',
    why: 'Without a time limit the caller waits for ever.',
    task: GET,
    answer: () => undefined,
    checks: ENDED_IN_TIME,
  },
  {
    name: 'hang-in-body',
    server: 'The server sends half of the body and says no more.',
    why: 'A time limit that ends with the headers does not help.',
    task: GET,
    answer: ({ socket }) => {
      socket.write(`${buildHead(200, { ...JSON_TYPE, 'Content-Length': String(TEXT.length) })}${TEXT.slice(0, 99)}`);
      return undefined;
    },
    checks: ENDED_IN_TIME,
  },
  {
    name: 'drip',
    server: 'The server sends one blank of the body every tenth of a second, without end.',
    why: 'A time limit between two bytes never comes into force.',
    task: GET,
    answer: ({ socket }) => {
      socket.write(buildHead(200, { ...JSON_TYPE, 'Content-Length': '1000000' }));
      return drip(socket, ' ', 100);
    },
    checks: ENDED_IN_TIME,
  },
  {
    name: 'headers-without-end',
    server: 'The server sends headers without end.',
    why: 'Who keeps them all runs out of memory.',
    task: GET,
    answer: ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      return drip(socket, `X-Filler: ${'x'.repeat(60_000)}\r\n`.repeat(17), 20);
    },
    checks: [must(fails()), should(endsWithin(TIMEOUT_MS + 2_000))],
  },
  {
    name: 'http-1.0',
    server: 'The server speaks HTTP/1.0, without a length, and closes.',
    why: 'Old proxies do.',
    task: GET,
    answer: ({ socket }) => {
      socket.end(`${buildHead(200, JSON_TYPE, '1.0')}${TEXT}`);
      return undefined;
    },
    checks: [must(answers(NAME))],
  },
  {
    name: 'early-hints',
    server: 'The server sends 103 before its answer.',
    why: 'Interim answers are legal before every answer.',
    task: GET,
    answer: () => Buffer.concat([Buffer.from(buildHead(103, { Link: '</x>; rel=preload' })), sendBroker()]),
    checks: [must(answers(NAME))],
  },
  {
    name: 'headers-twice',
    server: 'Several headers come twice, with different values.',
    why: 'Chains of proxies add their own.',
    task: GET,
    answer: () => {
      const [head = '', ...rest] = sendBroker({ RateLimit: '"public";r=5;t=9', 'X-Request-Id': 'one', ETag: '"1"' })
        .toString()
        .split('\r\n');
      const again = [
        'RateLimit: "other";r=0;t=99',
        'X-Request-Id: two',
        'ETag: "2"',
        'Retry-After: x',
        'Retry-After: 9',
      ];
      return Buffer.from([head, ...again, ...rest].join('\r\n'));
    },
    checks: [must(answers(NAME))],
  },
  {
    name: 'lengths-differ',
    server: 'Two headers give different lengths of the body.',
    why: 'RFC 9112 calls it an error that nobody can mend: the next answer may be read out of this one.',
    task: GET,
    answer: () => {
      const length = Buffer.byteLength(TEXT);
      const head = buildHead(200, {
        ...JSON_TYPE,
        'Content-Length': String(length),
        'content-length': String(length - 9),
      });
      return Buffer.from(head + TEXT);
    },
    checks: [must(answersOrFails(NAME)), should(fails('network', 'unexpected'))],
  },
  {
    name: 'connections-killed',
    server: 'The server closes each connection after one answer, without saying so, while the client makes 20 calls.',
    why: 'Load balancers close idle connections at any time.',
    task: { ...GET, times: 20 },
    answer: ({ socket }) => {
      socket.write(sendBroker(), () => socket.destroy());
      return undefined;
    },
    checks: [must(answersOrFails(NAME)), should(answers(NAME))],
  },
  {
    name: 'etag',
    server: 'The answer has an `ETag`. To a request that names it the server answers 304.',
    why: 'Unchanged answers need not be sent again, and a 304 is no error.',
    task: { ...GET, times: 2 },
    answer: ({ request }) =>
      request.headers['if-none-match'] ? Buffer.from(buildHead(304, { ETag: '"1"' })) : sendBroker({ ETag: '"1"' }),
    checks: [must(answers(NAME)), should(sends(2, 'If-None-Match', '"1"'))],
  },
  {
    name: 'not-modified-unasked',
    server: 'The server answers 304 though the client named no version.',
    why: 'There is nothing that could be unchanged.',
    task: GET,
    answer: () => Buffer.from(buildHead(304, { ETag: '"1"' })),
    checks: [must(fails()), should(fails('unexpected'))],
  },
];
