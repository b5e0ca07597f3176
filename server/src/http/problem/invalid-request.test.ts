import { contract, ProblemItem } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { RequestValidationError } from '../endpoints/rest.ts';
import { findNearestName, type Issue, toInvalidRequest, toProblemItems } from './invalid-request.ts';

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: readonly unknown[] } | undefined };
  readonly shape: object;
}

const items = (schema: Schema, value: unknown, place: 'body' | 'parameter' = 'body'): ProblemItem[] =>
  toProblemItems(
    (schema.safeParse(value).error?.issues ?? []) as readonly Issue[],
    place,
    Object.keys(schema.shape),
    value,
  );

const review = {
  broker: 'alpha-markets',
  rating: 4.5,
  title: 'Withdrawals arrive in two days',
  content: 'I withdrew three times this year, and each time the money was there.',
  language: 'en',
};
const complaint = {
  broker: 'alpha-markets',
  category: 'withdrawal',
  title: 'Withdrawal refused',
  content: 'I asked for my balance on 1 October and have had no answer since.',
  consentToForward: true,
};
const reviewBody = contract.reviews.create.body;
const complaintBody = contract.complaints.create.body;

describe('the nearest name', () => {
  const known = ['color', 'limit', 'offset', 'idempotency-key'];

  test.each([
    ['colour', 'color'],
    ['Color', 'color'],
    ['colr', 'color'],
    ['LIMIT', 'limit'],
    ['limits', 'limit'],
    ['ofset', 'offset'],
    ['off-set', 'offset'],
    ['idempotencykey', 'idempotency-key'],
    ['page', undefined],
    ['', undefined],
    ['colorcolorcolor', undefined],
    ['x'.repeat(10_000), undefined],
  ])('the nearest name of %s is %s', (name, nearest) => {
    expect(findNearestName(name, known)).toBe(nearest);
  });

  test('the nearest name is the nearest of several, and none where nothing is known', () => {
    expect(findNearestName('limid', ['limits', 'limit'])).toBe('limit');
    expect(findNearestName('limit', [])).toBeUndefined();
  });
});

describe('a body', () => {
  test('a right body has no issues', () => {
    expect(items(reviewBody, review)).toEqual([]);
    expect(items(complaintBody, complaint)).toEqual([]);
  });

  test.each(Object.keys(review))('names the field that a review lacks: %s', (name) => {
    const { [name as keyof typeof review]: _, ...rest } = review;
    expect(items(reviewBody, rest)).toEqual([
      { pointer: `#/${name}`, code: 'required', detail: `"${name}" is required.` },
    ]);
  });

  test.each(Object.keys(complaint))('names the field that a complaint lacks: %s', (name) => {
    const { [name as keyof typeof complaint]: _, ...rest } = complaint;
    expect(items(complaintBody, rest)).toEqual([
      { pointer: `#/${name}`, code: 'required', detail: `"${name}" is required.` },
    ]);
  });

  test.each([
    [{ ...review, rating: '5' }, '/rating', 'invalid_type', '"rating" must be a number, not string.'],
    [{ ...review, rating: 5.5 }, '/rating', 'too_big', '"rating" must be at most 5.'],
    [{ ...review, rating: 0 }, '/rating', 'too_small', '"rating" must be at least 1.'],
    [{ ...review, rating: 4.555 }, '/rating', 'too_precise', '"rating" must have at most two decimals.'],
    [{ ...review, rating: null }, '/rating', 'invalid_type', '"rating" must be a number, not null.'],
    [{ ...review, title: 'ab' }, '/title', 'too_small', '"title" must have at least 3 characters.'],
    [
      { ...review, title: '\ud800abc' },
      '/title',
      'not_well_formed',
      '"title" must be well-formed Unicode without NUL.',
    ],
    [{ ...review, broker: ['a'] }, '/broker', 'invalid_type', '"broker" must be a string, not array.'],
  ])('%j is wrong at %s: %s', (body, place, code, detail) => {
    expect(items(reviewBody, body)).toEqual([{ pointer: `#${place}`, code, detail }]);
  });

  test.each([
    [
      { ...complaint, category: 'fees' },
      '/category',
      'not_one_of',
      '"category" must be one of withdrawal, execution, pricing, account, conduct, misleading, other.',
    ],
    [
      { ...complaint, amountInDispute: { amount: '1', currency: 'USD' } },
      '/amountInDispute/amount',
      'invalid_format',
      '"amountInDispute.amount" must be an amount with two decimals such as "250.00".',
    ],
    [
      { ...complaint, amountInDispute: 5 },
      '/amountInDispute',
      'invalid_type',
      '"amountInDispute" must be an object, not number.',
    ],
    [{ ...complaint, occurredAt: 'x' }, '/occurredAt', 'invalid_format', undefined],
    [{ ...complaint, broker: 'a'.repeat(81) }, '/broker', 'too_big', undefined],
  ])('%j is wrong at %s: %s', (body, place, code, detail) => {
    expect(items(complaintBody, body)).toEqual([
      { pointer: `#${place}`, code, detail: detail ?? expect.stringMatching(/^"\w+" (must|is not valid: ).+\.$/) },
    ]);
  });

  test.each([
    [[], 'must be an object, not array.'],
    [null, 'must be an object, not null.'],
    ['text', 'must be an object, not string.'],
    [undefined, 'is required.'],
  ])('%j is not an object', (body, detail) => {
    expect(items(reviewBody, body)).toMatchObject([{ pointer: '#', detail: `The body ${detail}` }]);
  });

  test('names every fault of a body with several', () => {
    expect(items(reviewBody, { ratng: 5, title: 'a' }).map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/broker', 'required'],
      ['#/rating', 'required'],
      ['#/title', 'too_small'],
      ['#/content', 'required'],
      ['#/language', 'required'],
      ['#/ratng', 'unknown'],
    ]);
  });
});

describe('an unknown field', () => {
  test('an unknown field is named, with the known one it probably means', () => {
    expect(items(reviewBody, { ...review, ratings: 5, account: 'a' })).toEqual([
      { pointer: '#/ratings', code: 'unknown', detail: '"ratings" is not known here; did you mean "rating"?' },
      { pointer: '#/account', code: 'unknown', detail: '"account" is not known here.' },
    ]);
  });

  test('an unknown field deeper down does not get a name from further up', () => {
    const amountInDispute = { amount: '1.00', currency: 'USD', categry: 1 };
    expect(items(complaintBody, { ...complaint, amountInDispute })).toEqual([
      { pointer: '#/amountInDispute/categry', code: 'unknown', detail: '"categry" is not known here.' },
    ]);
  });

  test.each([
    ['a/b', '#/a~1b'],
    ['a~b', '#/a~0b'],
    ['a b%', '#/a%20b%25'],
    ['ключ', '#/%D0%BA%D0%BB%D1%8E%D1%87'],
    ['', '#/'],
    ['\ud800', '#/%EF%BF%BD'],
    [`${'a'.repeat(199)}😀`, `#/${'a'.repeat(199)}%EF%BF%BD`],
  ])('%j has a pointer', (key, pointer) => {
    expect(items(reviewBody, { ...review, [key]: 1 })).toMatchObject([{ pointer, code: 'unknown' }]);
  });

  test('__proto__ is an unknown field', () => {
    const body = JSON.parse(JSON.stringify(review).replace('{', '{"__proto__":{"x":1},'));
    expect(items(reviewBody, body)).toMatchObject([{ pointer: '#/__proto__', code: 'unknown' }]);
  });

  test('a long unknown field is cut, and of many only twenty are named', () => {
    const [long] = items(reviewBody, { ...review, ['x'.repeat(50_000)]: 1 });
    expect(long?.detail).toBe(`"${'x'.repeat(60)}…" is not known here.`);
    expect(long?.pointer).toHaveLength(202);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x${n}`, n]));
    expect(items(reviewBody, { ...review, ...many })).toHaveLength(20);
  });
});

describe('a parameter', () => {
  const query = contract.brokers.list.query;

  test.each([
    [{ limit: '0' }, 'limit', 'too_small', '"limit" must be at least 1.'],
    [{ limit: '101' }, 'limit', 'too_big', '"limit" must be at most 100.'],
    [{ offset: '1e1' }, 'offset', 'invalid_format', '"offset" must be a whole number in decimal digits.'],
    [{ color: 'blue' }, 'color', 'not_one_of', '"color" must be one of green, yellow, red, gray.'],
    [{ colour: 'red' }, 'colour', 'unknown', '"colour" is not known here; did you mean "color"?'],
  ])('%j is wrong', (value, parameter, code, detail) => {
    expect(items(query, value, 'parameter')).toEqual([{ parameter, code, detail }]);
  });

  test('a missing parameter is required', () => {
    expect(items(contract.search.query, {}, 'parameter')).toEqual([
      { parameter: 'q', code: 'required', detail: '"q" is required.' },
    ]);
  });
});

describe('a request', () => {
  const findIssues = (schema: z.ZodType, value: unknown) => {
    const { error } = schema.safeParse(value);
    return (error ?? null) as unknown as RequestValidationError['body'];
  };

  test('a request with faults everywhere is one problem that names every place, and fits the contract', () => {
    const route = {
      query: z.strictObject({ color: z.string().optional() }),
      body: z.strictObject({ kind: z.enum(['a', 'b']) }),
    };
    const error = new RequestValidationError(
      findIssues(z.strictObject({ slug: z.string().max(1, 'must be short') }), { slug: 'aa' }),
      findIssues(z.object({ 'idempotency-key': z.string().max(1, 'must be short') }), { 'idempotency-key': 'aa' }),
      findIssues(route.query, { colour: '' }),
      findIssues(route.body, { knd: 'a' }),
    );
    const problem = toInvalidRequest(error, route, { body: { knd: 'a' } });
    expect(problem).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(problem.errors).toEqual([
      { parameter: 'slug', code: 'too_big', detail: '"slug" must be short.' },
      { parameter: 'idempotency-key', code: 'too_big', detail: '"idempotency-key" must be short.' },
      { parameter: 'colour', code: 'unknown', detail: '"colour" is not known here; did you mean "color"?' },
      { pointer: '#/kind', code: 'required', detail: '"kind" is required.' },
      { pointer: '#/knd', code: 'unknown', detail: '"knd" is not known here; did you mean "kind"?' },
    ]);
    expect(problem.message).toBe(problem.errors?.map(({ detail }) => detail).join(' '));
    for (const item of problem.errors ?? []) expect(ProblemItem.safeParse(item).success).toBe(true);
  });

  test('a request of a route without schemas has no names to suggest', () => {
    const error = new RequestValidationError(null, null, findIssues(z.strictObject({}), { a: 1 }), null);
    expect(toInvalidRequest(error, {}, {}).errors).toMatchObject([{ parameter: 'a', code: 'unknown' }]);
  });
});

test('whatever a body is, its faults are named in a way that fits the contract', () => {
  const bodies = fc.oneof(
    fc.jsonValue({ depthSize: 'small' }),
    fc.jsonValue().map((broker) => ({ ...review, broker })),
  );
  fc.assert(
    fc.property(bodies, fc.constantFrom(reviewBody, complaintBody), (body, schema) => {
      const { error } = schema.safeParse(body);
      if (!error) return;
      const found = toProblemItems(error.issues as Issue[], 'body', Object.keys(schema.shape), body);
      expect(found.length).toBeGreaterThan(0);
      for (const item of found) {
        expect(ProblemItem.safeParse(item).success).toBe(true);
        expect(JSON.stringify(item).isWellFormed()).toBe(true);
        expect(item.pointer).toMatch(/^#(\/|$)/);
      }
    }),
    { seed: 20_261_121, numRuns: 400 },
  );
});
