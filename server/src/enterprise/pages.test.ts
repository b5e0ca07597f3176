import { PLAN_NAMES, PLANS } from '@broker-transparency/contract/enterprise';
import { describe, expect, test } from 'vitest';
import { enterprisePage } from './pages.ts';

describe('the page for customers', () => {
  const { body } = enterprisePage('data@ratings.example');

  test.each(PLAN_NAMES)('says what the plan %s has', (name) => {
    const { requestsPerMinute, requestsPerMonth, accessKeptDays, scopes } = PLANS[name];
    for (const value of [name, requestsPerMinute.toLocaleString('en-US'), requestsPerMonth.toLocaleString('en-US')])
      expect(body).toContain(`>${value}</t`);
    expect(body).toContain(`>${accessKeptDays} days</td>`);
    expect(body).toContain(`<td>${scopes.join(', ')}</td>`);
  });

  test.each([
    ['data@ratings.example', '<a href="mailto:data@ratings.example">data@ratings.example</a>'],
    ['https://ratings.example/data?a=1&b=2', '<a href="https://ratings.example/data?a=1&amp;b=2">'],
    [undefined, 'has not named a contact yet'],
  ])('says whom to ask: %s', (contact, said) => {
    expect(enterprisePage(contact).body).toContain(said);
  });
});
