import { expect, test } from 'vitest';
import { parseRequest } from './http.ts';

const HEAD = 'POST /api/v1/reviews HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-a:2\r\n';

test.each<[string, string, string | undefined, string]>([
  ['a body of the length', `${HEAD}Content-Length: 3\r\n\r\nabcGET`, 'abc', 'GET'],
  ['no body', `${HEAD}\r\nGET`, '', 'GET'],
  ['a body in chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\nGET`, 'abc', 'GET'],
  ['half a head', HEAD, undefined, ''],
  ['half a body', `${HEAD}Content-Length: 3\r\n\r\nab`, undefined, ''],
  ['half of the chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`, undefined, ''],
])('reads a request as it came: %s', (_, text, body, rest) => {
  const parsed = parseRequest(text);
  expect(parsed?.body).toBe(body);
  if (!parsed) return;
  expect(text.slice(parsed.end)).toBe(rest);
  expect([parsed.method, parsed.target, parsed.headers['x-a']]).toEqual(['POST', '/api/v1/reviews', ['1', '2']]);
});
