import { complaintBody, reviewBody } from '../../support/records.ts';
import { tokenLine } from '../cast.ts';
import type { Ask } from '../wire.ts';

const TYPE = 'Content-Type: application/json';

type BodyFields = Record<string, unknown>;

/** Bodies that no route accepts, by headers and content. */
const NO_JSON: readonly (readonly [headers: readonly string[], body: string])[] = [
  ...['', ' ', '{', '{"a":', 'null', '[]', '"text"', '7', '{"a":1,}', '{}', '{"__proto__":{}}', '\ufeff{}'].map(
    (body) => [[TYPE], body] as const,
  ),
  ...[
    [],
    ['Content-Type: text/plain'],
    ['Content-Type: application/xml'],
    ['Content-Type: application/json; charset=latin1'],
    ['Content-Type: application/json; charset=utf-8'],
    ['Content-Type: application/problem+json'],
    ['Content-Type: '],
    [TYPE, 'Content-Encoding: gzip'],
    [TYPE, 'Content-Encoding: identity'],
    [TYPE, 'Idempotency-Key: '],
    [TYPE, 'Idempotency-Key: a b'],
    [TYPE, `Idempotency-Key: ${'k'.repeat(256)}`],
    [TYPE, 'Idempotency-Key: "open'],
    [TYPE, 'Accept: text/html'],
  ].map((headers) => [headers, '{}'] as const),
  [[TYPE], `{"content":"${'x'.repeat(70_000)}"}`],
  [[TYPE, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  [[TYPE, 'Transfer-Encoding: chunked'], 'zz\r\n'],
];

const REVIEWS: readonly BodyFields[] = [
  ...[0, 0.99, 5.01, 6, 4.255, '5', null, [5], 1e300].map((rating) => ({ rating })),
  ...['', '  ', 'ab', 'x'.repeat(121), '\0abc', '\ud800abc', 7, null].map((title) => ({ title })),
  ...['short', 'x'.repeat(5001), null].map((content) => ({ content })),
  ...['english', 'EN', 'e', 'en_GB', null].map((language) => ({ language })),
  ...['nobody', 'ALPHA-MARKETS', '', { $ne: null }, null].map((broker) => ({ broker })),
  { extra: 1 },
  { Rating: 5 },
  { rating: undefined },
  { title: undefined, content: undefined },
];

const COMPLAINTS: readonly BodyFields[] = [
  ...['fraud', '', null].map((category) => ({ category })),
  ...['yes', 1, null].map((consentToForward) => ({ consentToForward })),
  ...[
    { amount: '1', currency: 'USD' },
    { amount: '1.00', currency: 'usd' },
    { amount: 1, currency: 'USD' },
    { amount: '-1.00', currency: 'USD' },
    { currency: 'USD' },
    '1.00 USD',
    null,
  ].map((amountInDispute) => ({ amountInDispute })),
  ...['yesterday', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00+01:00', '2026-01-01T00:00:60Z', 7].map(
    (occurredAt) => ({ occurredAt }),
  ),
  ...['ab', 'x'.repeat(1001)].map((desiredResolution) => ({ desiredResolution })),
  { broker: 'nobody' },
  { colour: 'red' },
  { title: undefined },
];

const REPORTS: readonly BodyFields[] = [
  ...['x', '0'.repeat(24), 'F'.repeat(24), null].map((reviewId) => ({ reviewId })),
  ...['unknown', '', null].map((reason) => ({ reason })),
  ...['short', 'x'.repeat(2001), null].map((text) => ({ text })),
  { extra: 1 },
];
const REPORT = { reviewId: '0'.repeat(24), reason: 'off_topic', text: 'It is about another company than this one.' };

/** Sends bodies that are refused. Two people per route have enough budget for them. */
export const sendBodies = async (ask: Ask): Promise<void> => {
  const routes = [
    { target: '/api/v1/reviews', of: ['dora', 'egon'], rows: REVIEWS.map((over) => reviewBody('alpha-markets', over)) },
    {
      target: '/api/v1/complaints',
      of: ['fred', 'gina'],
      rows: COMPLAINTS.map((over) => complaintBody('alpha-markets', over)),
    },
    { target: '/account/v1/reports', of: ['hugo', 'ines'], rows: REPORTS.map((over) => ({ ...REPORT, ...over })) },
  ] as const;
  for (const {
    target,
    of: [first, second],
    rows,
  } of routes) {
    for (const [headers, body] of NO_JSON)
      await ask('bodies', { target, method: 'POST', headers: [tokenLine(first), ...headers], body });
    for (const row of rows)
      await ask('bodies', { target, method: 'POST', headers: [tokenLine(second), TYPE], body: JSON.stringify(row) });
  }
};
