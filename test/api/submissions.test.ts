import { gzipSync } from 'node:zlib';
import {
  ComplaintSubmission as ComplaintSubmissionSchema,
  ReviewSubmission as ReviewSubmissionSchema,
} from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { createSampleRequest, routes } from '../support/routes.ts';
import { type LocalService, startService } from '../support/service.ts';
import { buildComplaint, buildReview, complaintDetails } from '../support/submissions.ts';

let service: LocalService;
let alice: string;

beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    ['alpha-markets', 'bounds', 'low', 'high', 'blank'].map((slug) => brokerRow(slug)),
  );
  alice = await createToken(service, 'alice');
});
afterAll(() => service?.remove());

const writes = routes.filter(({ method }) => method === 'POST');

describe.each(writes)('the body of POST $path', (route) => {
  const post = (body: unknown, headers = {}) =>
    send(`${service.baseUrl}${route.path}`, { body, token: alice, headers });
  const { body } = createSampleRequest(route);
  const text = JSON.stringify(body);

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/json; charset=iso-8859-1',
    'json',
    '',
  ])('refuses a body with the content type %j', async (type) => {
    expect(expectProblem(await post(text, { 'Content-Type': type })).code).toBe('unsupported_media_type');
  });

  test.each(['gzip', 'br', 'deflate', 'zstd'])('refuses a body with %s compression', async (coding) => {
    const answer = await post(gzipSync(text), { 'Content-Encoding': coding });
    expect(expectProblem(answer).code).toBe('unsupported_media_type');
  });

  test.each([64 * 1024 + 1, 1_000_000])('refuses a body of %i bytes, announced or chunked', async (size) => {
    const large = Buffer.alloc(size, 'x');
    expect(expectProblem(await post(large)).code).toBe('content_too_large');
    const chunked = { 'Transfer-Encoding': 'chunked', 'Content-Length': undefined };
    expect(expectProblem(await post(large, chunked)).code).toBe('content_too_large');
  });

  test.each(['{', '', '"text"', 'null', '{"a":1}x', '\ufeff', "{'a':1}"])(
    'refuses a body that reads %j',
    async (broken) => {
      const problem = expectProblem(await post(broken));
      expect(problem.status).toBe(400);
      expect(['malformed_json', 'invalid_request']).toContain(problem.code);
    },
  );

  test('refuses a body in an encoding other than UTF-8', async () => {
    expect(expectProblem(await post(Buffer.from([0x22, 0xff, 0x22]))).code).toBe('malformed_json');
  });
});

test('answers a write with JSON that may not be cached', async () => {
  const { status, headers } = await send(`${service.baseUrl}/complaints`, {
    body: buildComplaint('alpha-markets'),
    token: alice,
    headers: { 'Content-Type': 'application/json;charset=UTF-8' },
  });
  expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
  expect(headers).not.toHaveProperty('etag');
});

describe('POST /reviews', () => {
  const post = (body: unknown) => send(`${service.baseUrl}/reviews`, { body, token: alice });

  const submit = (broker: string, over = {}) => service.client(alice).reviews.create(buildReview(broker, over));

  test.each(Object.keys(ReviewSubmissionSchema.shape))('needs %s', async (field) => {
    const { [field as 'title']: _, ...body } = buildReview('bounds');
    const { errors } = expectProblem(await post(body));
    expect(errors).toEqual([expect.objectContaining({ pointer: `#/${field}`, code: 'required' })]);
  });

  test.each([
    ['rating', 0.99, 'too_small'],
    ['rating', 5.01, 'too_big'],
    ['rating', 4.125, 'too_precise'],
    ['rating', '4', 'invalid_type'],
    ['rating', null, 'invalid_type'],
    ['title', 'ab', 'too_small'],
    ['title', `  ab${' '.repeat(9)}`, 'too_small'],
    ['title', 'x'.repeat(121), 'too_big'],
    ['title', 'a\0bc', 'not_well_formed'],
    ['title', 'abc\ud800', 'not_well_formed'],
    ['content', 'x'.repeat(19), 'too_small'],
    ['content', 'x'.repeat(5001), 'too_big'],
    ['content', ['x'.repeat(30)], 'invalid_type'],
    ['language', 'english', 'invalid_format'],
    ['language', 'EN', 'invalid_format'],
    ['broker', 'No Slug', 'invalid_format'],
    ['broker', { $ne: '' }, 'invalid_type'],
  ])('refuses %s %j: %s', async (field, value, code) => {
    const problem = expectProblem(await post({ ...buildReview('bounds'), [field]: value }));
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: `#/${field}`, code })]);
    expect(problem.code).toBe('invalid_request');
  });

  test('names every wrong field at once, and the likely name of an unknown one', async () => {
    const { broker, language } = buildReview('bounds');
    const { errors } = expectProblem(
      await post({ broker, language, raiting: 4, title: 'x', content: 'y', accountId: 'z' }),
    );
    const found = errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort();
    expect(found).toEqual([
      '#/accountId unknown',
      '#/content too_small',
      '#/raiting unknown',
      '#/rating required',
      '#/title too_small',
    ]);
    expect(errors?.find(({ pointer }) => pointer === '#/raiting')?.detail).toContain('did you mean "rating"?');
  });

  test.each([
    ['low', { rating: 1, title: 'abc', content: 'x'.repeat(20), language: 'es-419' }],
    ['high', { rating: 5, title: '🦊'.repeat(120), content: 'é'.repeat(5000), language: 'zh-Hant-TW' }],
  ])('takes values at the bounds: %s', async (broker, over) => {
    expect(await submit(broker, over)).toMatchObject(over);
  });

  test('trims surrounding blanks', async () => {
    const review = await submit('blank', { title: '  Fine  ', content: `\n${'word '.repeat(9)}` });
    expect(review).toMatchObject({ title: 'Fine', content: 'word '.repeat(9).trim() });
  });

  test('answers 404 for an unknown broker', async () => {
    await expect(submit('nobody')).rejects.toMatchObject({ code: 'broker_not_found', status: 404 });
  });
});

describe('POST /complaints', () => {
  const post = (body: unknown) => send(`${service.baseUrl}/complaints`, { body, token: alice });
  const required = ['broker', 'category', 'title', 'content', 'consentToForward'];

  test.each(Object.keys(ComplaintSubmissionSchema.shape))('knows whether %s is required', async (field) => {
    const { [field as 'title']: _, ...body } = buildComplaint('bounds', complaintDetails);
    const answer = await post(body);
    if (!required.includes(field)) expect(answer.status, answer.text).toBe(201);
    else
      expect(expectProblem(answer).errors).toEqual([
        expect.objectContaining({ pointer: `#/${field}`, code: 'required' }),
      ]);
  });

  test.each([
    ['category', 'theft', 'not_one_of', ''],
    ['title', 'ab', 'too_small', ''],
    ['content', 'x'.repeat(5001), 'too_big', ''],
    ['consentToForward', 'yes', 'invalid_type', ''],
    ['amountInDispute', { amount: '250', currency: 'USD' }, 'invalid_format', '/amount'],
    ['amountInDispute', { amount: 250, currency: 'USD' }, 'invalid_type', '/amount'],
    ['amountInDispute', { amount: '-1.00', currency: 'USD' }, 'invalid_format', '/amount'],
    ['amountInDispute', { amount: '1.00', currency: 'usd' }, 'invalid_format', '/currency'],
    ['amountInDispute', { amount: '1.00' }, 'required', '/currency'],
    ['amountInDispute', { amount: '1.00', currency: 'USD', unit: 1 }, 'unknown', '/unit'],
    ['occurredAt', '2026-01-02', 'invalid_format', ''],
    ['occurredAt', '2026-01-02T03:04:05+01:00', 'invalid_format', ''],
    ['occurredAt', '2026-02-30T03:04:05Z', 'invalid_format', ''],
    ['desiredResolution', 'x'.repeat(1001), 'too_big', ''],
    ['status', 'resolved', 'unknown', ''],
  ])('refuses %s %j: %s', async (field, value, code, deeper) => {
    const problem = expectProblem(await post({ ...buildComplaint('bounds'), [field]: value }));
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: `#/${field}${deeper}`, code })]);
  });

  test('answers 404 for an unknown broker', async () => {
    await expect(service.client(alice).complaints.create(buildComplaint('nobody'))).rejects.toMatchObject({
      code: 'broker_not_found',
    });
  });
});
