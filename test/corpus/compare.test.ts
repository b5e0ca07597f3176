import { expect, test } from 'vitest';
import { compare } from './compare.ts';
import { formatPages, type Page, parsePages } from './page.ts';
import { report } from './report.ts';
import { normalisePage, type ReceivedPage } from './steady.ts';

const page = (target: string, over: Partial<Page> = {}): Page => ({
  kind: 'one broker',
  method: 'GET',
  target,
  sent: [],
  status: 200,
  headers: { 'content-type': 'application/json', etag: '"a"' },
  body: '{"score":{"value":81.9},"tags":["x"]}',
  ...over,
});
const BEFORE = [page('/one'), page('/two'), page('/two'), page('/three', { kind: 'news' })];

/** The reported differences, each with its target. */
const differences = (after: readonly Page[]): string[] =>
  compare(BEFORE, after).differences.flatMap(({ page: { target }, lines }) => lines.map((line) => `${target} ${line}`));

test('finds no difference between equal corpora, even after writing and reading one', () => {
  expect(compare(BEFORE, parsePages(formatPages(BEFORE))).differences).toEqual([]);
});

test.each<[string, Partial<Page>, string[]]>([
  [
    'a changed header',
    { headers: { 'content-type': 'application/json', etag: '"b"' } },
    ['header etag: "\\"a\\"" → "\\"b\\""'],
  ],
  [
    'a header that is gone, and a new one',
    { headers: { age: '1', etag: '"a"' } },
    ['header age: nothing → "1"', 'header content-type: "application/json" → nothing'],
  ],
  ['another status', { status: 404 }, ['status: 200 → 404']],
  [
    'a changed body of JSON, by its places',
    { body: '{"score":{"value":80},"tags":["x","y"]}' },
    ['body at /score/value: 81.9 → 80', 'body at /tags/1: nothing → "y"'],
  ],
  [
    'JSON with another formatting',
    { body: '{"tags":["x"],"score":{"value":81.9}}' },
    [
      'body from character 0: "{\\"score\\":{\\"value\\":81.9},\\"tags\\":[\\"x\\"]}" → ' +
        '"{\\"tags\\":[\\"x\\"],\\"score\\":{\\"value\\":81.9}}"',
    ],
  ],
  [
    'a changed text',
    { body: 'gone' },
    ['body from character 0: "{\\"score\\":{\\"value\\":81.9},\\"tags\\":[\\"x\\"]}" → "gone"'],
  ],
])('finds %s', (_, over, lines) => {
  const after = BEFORE.map((one, index) => (index === 2 ? { ...one, ...over } : one));
  expect(differences(after)).toEqual(lines.map((line) => `/two ${line}`));
});

test('finds missing and new pages, and counts them by kind', () => {
  const after = [...BEFORE.slice(1), page('/four', { kind: 'news' })];
  expect(differences(after)).toEqual(['/one is missing', '/four is new']);
  expect(report(compare(BEFORE, after))).toBe(
    [
      'one broker: GET /one',
      '  is missing',
      'news: GET /four',
      '  is new',
      '',
      'kind of page                 same  changed  missing    added',
      'one broker                      2        0        1        0',
      'news                            1        0        0        1',
      'all                             3        0        1        1',
      '',
    ].join('\n'),
  );
});

test('reports pages of a kind that differ in the same places once', () => {
  const after = BEFORE.map((one, index) => ({ ...one, status: 500 + index }));
  expect(report(compare(BEFORE, after)).split('\n').slice(0, 6)).toEqual([
    'one broker: GET /one',
    '  status: 200 → 500',
    '  and 2 more of this kind in the same places',
    'news: GET /three',
    '  status: 200 → 503',
    '',
  ]);
});

test('notices a request that is repeated fewer times', () => {
  expect(differences([BEFORE[0], BEFORE[1], BEFORE[3]] as Page[])).toEqual(['/two is missing']);
});

test('refuses a file that is not a corpus, and names the line', () => {
  expect(() => parsePages(`${formatPages(BEFORE)}<html>`)).toThrow('line 5 is no page of a corpus');
});

/** Compares an answer of now with one of a minute later. */
const answered = (over: Partial<ReceivedPage>): ReceivedPage => ({
  kind: 'one broker',
  method: 'GET',
  target: '/one',
  sent: [],
  status: 200,
  headers: {},
  bytes: Buffer.from('{}'),
  ...over,
});
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER_ID = ID.replace('0', '1');

test.each<[string, Partial<ReceivedPage>, Partial<ReceivedPage>]>([
  ['the date', { headers: { date: 'Mon, 01 Jan 2029 00:00:00 GMT' } }, { headers: { date: 'later' } }],
  ['a request id', { headers: { 'x-request-id': ID } }, { headers: { 'x-request-id': OTHER_ID } }],
  [
    'a request id in a problem',
    { headers: { 'content-type': 'application/problem+json' }, bytes: Buffer.from(`{"requestId":"${ID}"}`) },
    { headers: { 'content-type': 'application/problem+json' }, bytes: Buffer.from(`{"requestId":"${OTHER_ID}"}`) },
  ],
  [
    'a request id in a page about a problem',
    { headers: { 'content-type': 'text/html' }, bytes: Buffer.from(`<p>Number of this request: ${ID}</p>`) },
    { headers: { 'content-type': 'text/html' }, bytes: Buffer.from(`<p>Number of this request: ${OTHER_ID}</p>`) },
  ],
  [
    'the seconds of a budget',
    { headers: { ratelimit: '"public";r=59;t=60' } },
    { headers: { ratelimit: '"public";r=59;t=2' } },
  ],
  ['how long an answer was kept', { headers: {} }, { headers: { age: '3' } }],
])('ignores what differs from one answer to the next: %s', (_, before, after) => {
  expect(normalisePage(answered(before))).toEqual(normalisePage(answered(after)));
});

test.each<[string, Partial<ReceivedPage>, Partial<ReceivedPage>]>([
  ['an ETag', { headers: { etag: '"a"' } }, { headers: { etag: '"b"' } }],
  ['a request id that was sent', { headers: { 'x-request-id': 'sent-id-1' } }, { headers: { 'x-request-id': ID } }],
  ['what is left of a budget', { headers: { ratelimit: 'r=59;t=60' } }, { headers: { ratelimit: 'r=58;t=60' } }],
  ['an id in what is read', { bytes: Buffer.from(`{"id":"${ID}"}`) }, { bytes: Buffer.from(`{"id":"${OTHER_ID}"}`) }],
  ['bytes', { bytes: Buffer.from([1, 2]) }, { bytes: Buffer.from([1, 3]) }],
])('reports any other difference: %s', (_, before, after) => {
  expect(normalisePage(answered(before))).not.toEqual(normalisePage(answered(after)));
});
