import { contract } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import { FORM_FIELDS, findField, isTyped, pickFields, toBody } from './form.rule.ts';
import { MOST_KEPT } from './policy.rule.ts';

const TEXT = 'I asked for my balance four weeks ago.';

test('the fields of a form are those that it has, without blank ones', () => {
  const typed = {
    rating: '4',
    title: ' ',
    content: 'one\r\ntwo',
    language: undefined,
    broker: 'x',
    status: 'published',
  };
  expect(pickFields('review', typed)).toEqual({ rating: '4', content: 'one\ntwo' });
  expect(pickFields('review', { content: 'x'.repeat(MOST_KEPT + 1) })['content']).toHaveLength(MOST_KEPT);
  expect(pickFields('review', { title: 'a\ud800' })).toEqual({ title: 'a\ufffd' });
});

const REVIEW = { rating: '4.5', title: 'Fast', content: TEXT, language: 'en' };
const COMPLAINT = { category: 'withdrawal', title: 'Slow', content: TEXT, consent: 'no' };

test('the forms send the body that the contract takes', () => {
  expect(contract.reviews.create.body.parse(toBody('review', 'alpha-markets', REVIEW))).toEqual({
    broker: 'alpha-markets',
    ...REVIEW,
    rating: 4.5,
  });
  const details = { amount: '250', currency: 'usd', occurred: '2026-01-02', resolution: 'My balance' };
  expect(contract.complaints.create.body.parse(toBody('complaint', 'x', { ...COMPLAINT, ...details }))).toEqual({
    broker: 'x',
    category: 'withdrawal',
    title: 'Slow',
    content: TEXT,
    consentToForward: false,
    amountInDispute: { amount: '250.00', currency: 'USD' },
    occurredAt: '2026-01-02T00:00:00Z',
    desiredResolution: 'My balance',
  });
});

test.each([
  ['250', '250.00'],
  ['250,5', '250.50'],
  ['0250.05', '250.05'],
  ['0', '0.00'],
  ['1.000', '1.000'],
  ['a lot', 'a lot'],
])('an amount that is typed as %s is sent as %s', (typed, sent) => {
  const { amountInDispute } = toBody('complaint', 'x', { amount: typed, currency: 'EUR' });
  expect(amountInDispute).toEqual({ amount: sent, currency: 'EUR' });
});

test.each([
  ['review', { ...REVIEW, rating: '9' }, ['rating']],
  ['review', { ...REVIEW, rating: 'x' }, ['rating']],
  ['review', {}, ['rating', 'title', 'content', 'language']],
  ['complaint', { ...COMPLAINT, consent: 'perhaps' }, ['consent']],
  ['complaint', { ...COMPLAINT, amount: 'a lot' }, ['amount', 'currency']],
  ['complaint', { ...COMPLAINT, occurred: 'x', resolution: 'x' }, ['occurred', 'resolution']],
  ['complaint', {}, ['category', 'title', 'content', 'consent']],
] as const)('a fault of a %s with %o belongs to the fields %s', (kind, typed, fields) => {
  const schema = kind === 'review' ? contract.reviews.create.body : contract.complaints.create.body;
  const { error } = schema.safeParse(toBody(kind, 'x', pickFields(kind, typed)));
  const found = error?.issues.map(({ path }) => findField(kind, path.map(String)));
  expect(new Set(found)).toEqual(new Set(fields));
});

test.each([
  [{}, false],
  [{ rating: '', title: ' ', language: 'en' }, false],
  [{ rating: '4', language: 'en' }, true],
] as const)('a form with %o has something that somebody typed: %s', (typed, isExpected) => {
  expect(isTyped(pickFields('review', typed))).toBe(isExpected);
});

test('the broker is no field of a form', () => {
  expect(FORM_FIELDS.review.concat(FORM_FIELDS.complaint)).not.toContain('broker');
  expect(findField('review', ['broker'])).toBeUndefined();
  expect(findField('review', [])).toBeUndefined();
});
