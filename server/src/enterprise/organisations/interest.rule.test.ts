import { expect, test } from 'vitest';
import { describeInterest } from './interest.rule.ts';

const customer = { name: 'Jane Roe', agreement: { acceptedAt: new Date('2026-01-05T00:00:00.000Z') } };

test.each([
  ['a customer without an interest', undefined, undefined],
  ['a firm', { broker: 'alpha', isPerson: false }, 'Jane Roe'],
  ['a natural person', { broker: 'alpha', isPerson: true }, null],
])('%s is stated with a name or without one', (_, interest, name) => {
  const stated = describeInterest({ ...customer, interest });
  expect(stated).toEqual(interest && { name, broker: 'alpha', since: '2026-01-05T00:00:00.000Z', until: null });
});

test('the statement has the end of the agreement, where one is set', () => {
  const agreement = { ...customer.agreement, endsAt: new Date('2027-01-05T00:00:00.000Z') };
  const stated = describeInterest({ ...customer, agreement, interest: { broker: 'alpha', isPerson: false } });
  expect(stated?.until).toBe('2027-01-05T00:00:00.000Z');
});

test('the statement of a customer with a renewed agreement has the day of the first one', () => {
  const firstAcceptedAt = new Date('2025-01-05T00:00:00.000Z');
  const stated = describeInterest({ ...customer, firstAcceptedAt, interest: { broker: 'alpha', isPerson: false } });
  expect(stated?.since).toBe('2025-01-05T00:00:00.000Z');
});
