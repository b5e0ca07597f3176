import { tokenLine } from '../cast.ts';
import type { Ask } from '../wire.ts';

const GET = 'GET /api/v1/regulators HTTP/1.1\r\n';
const POST = 'POST /api/v1/reviews HTTP/1.1\r\nHost: ratings.example\r\nContent-Type: application/json\r\n';
const HOST = 'Host: ratings.example\r\n';

/** Bytes that no HTTP library sends, and rare ones that are allowed. */
const BYTES = [
  'GARBAGE\r\n\r\n',
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ...['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9', 'ICE/1.0'].map(
    (version) => `GET /api/v1/regulators ${version}\r\n${HOST}\r\n`,
  ),
  ...['', `${HOST}${HOST}`, 'Host:\r\n', 'Host: a b\r\n', 'Host: [::1\r\n', 'Host: a/b\r\n', 'Host: a@b\r\n'].map(
    (lines) => `${GET}${lines}\r\n`,
  ),
  ...['No colon\r\n', 'Blank : x\r\n', 'X: \0\r\n', 'X: a\r\n b\r\n', ': x\r\n', 'X: \u00e9\r\n', 'X\u00e9: x\r\n'].map(
    (line) => `${GET}${HOST}${line}\r\n`,
  ),
  ...['X-Large: ', 'Authorization: Bearer '].map((name) => `${GET}${HOST}${name}${'x'.repeat(20_000)}\r\n\r\n`),
  `GET /api/v1/search?q=${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
  `${GET}${HOST}${Array.from({ length: 1500 }, (_, n) => `X${n}: ${n}\r\n`).join('')}\r\n`,
  `${GET}${HOST}Expect: 100-continue\r\n\r\n`,
  `${GET}${HOST}Expect: 200-maybe\r\n\r\n`,
  `${GET}${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
  `${GET}${HOST}Content-Length: 2\r\n\r\n{}`,
  `GET http://evil.example/api/v1/regulators HTTP/1.1\r\n${HOST}\r\n`,
  `CONNECT ratings.example:443 HTTP/1.1\r\n${HOST}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
  ...[
    'Content-Length: -1',
    'Content-Length: x',
    'Content-Length: 2\r\nContent-Length: 3',
    'Transfer-Encoding: gzip',
  ].map((line) => `${POST}${line}\r\n\r\n{}`),
  `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${POST}Content-Length: 70000\r\n\r\n{}`,
  `${POST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
];

/** Requests that never end. The server answers them after a timeout. */
const ENDLESS = [`${GET}X-Never: ends`, `${POST}${tokenLine('ana')}\r\nContent-Length: 20\r\n\r\n{`];

export const waiting = (ask: Ask): Promise<unknown> => Promise.all(ENDLESS.map((bytes) => ask('framing', { bytes })));

/** Requests at the edges of HTTP itself. */
export const framing = async (ask: Ask): Promise<void> => {
  for (const bytes of BYTES) await ask('framing', { bytes });
};
