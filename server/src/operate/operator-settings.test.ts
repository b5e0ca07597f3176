import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { findDemoOperator } from './demo/operator.ts';
import { describeOperator, findMissingOperatorSettings, type OperatorSettings } from './operator-settings.ts';

const CONTACTS = ['desk@ratings.example', 'https://ratings.example/contact?a=1'];
const NO_CONTACTS = [
  'desk',
  'http://ratings.example',
  'https://',
  'https://a:b@ratings.example',
  'javascript:alert(1)',
];
const NO_LINES = ['x', 'two\nlines', `turned ‮ round`, 'x'.repeat(501)];

const CONTACT = { good: CONTACTS, bad: NO_CONTACTS, message: /must be like data@ratings\.example or https:/ };
const LINE = {
  good: ['Example Ratings Ltd'],
  bad: NO_LINES,
  message: /must be one line of 2 to \d+ characters such as "/,
};

/** For every setting: accepted values, refused ones, and the cure that the refusal names. */
const SETTINGS: Readonly<
  Record<
    keyof typeof OperatorSettings.shape,
    { readonly good: readonly string[]; readonly bad: readonly string[]; readonly message: RegExp }
  >
> = {
  OPERATOR_NAME: LINE,
  OPERATOR_ADDRESS: LINE,
  OPERATOR_COUNTRY: { good: ['DE', 'GB'], bad: ['de', 'Germany', 'D', ' DE'], message: /must be like DE/ },
  OPERATOR_CONTACT: CONTACT,
  OPERATOR_REPRESENTATIVE: LINE,
  OPERATOR_EDITOR: LINE,
  OPERATOR_REGISTER: LINE,
  OPERATOR_VAT_ID: {
    good: ['DE123456789', 'ATU12345678'],
    bad: ['DE 1', '123', 'de123456789'],
    message: /DE123456789/,
  },
  OPERATOR_SUPERVISOR: LINE,
  OPERATOR_PRIVACY_CONTACT: CONTACT,
  OPERATOR_CORRECTIONS_CONTACT: CONTACT,
  OPERATOR_CORRECTIONS_DAYS: {
    good: ['1', '99'],
    bad: ['0', '100', '1.5', 'soon'],
    message: /must be a whole number from 1 to 99/,
  },
  OPERATOR_SECURITY_CONTACT: CONTACT,
  OPERATOR_FUNDING: LINE,
  OPERATOR_TERMS: {
    good: ['https://ratings.example/terms'],
    bad: ['terms', 'http://ratings.example/terms', 'https:// x'],
    message: /must be like https:\/\/ratings\.example\/terms/,
  },
};

describe.each(Object.entries(SETTINGS))('%s', (name, { good, bad, message }) => {
  test.each(good)('accepts %j', (value) => {
    expect(Object.values(readConfig({ [name]: value }).operator).map(String)).toContain(value);
  });

  test.each(bad)('refuses %j by one line with its name and the cure', (value) => {
    expect(() => readConfig({ [name]: value })).toThrow(message);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `));
  });
});

test('the contacts for privacy, corrections and security are the general one unless they are set', () => {
  const { operator } = readConfig({
    OPERATOR_CONTACT: 'desk@ratings.example',
    OPERATOR_PRIVACY_CONTACT: 'p@ratings.example',
  });
  expect(operator).toMatchObject({
    privacyContact: 'p@ratings.example',
    correctionsContact: 'desk@ratings.example',
    securityContact: 'desk@ratings.example',
  });
});

const WHOLE = {
  OPERATOR_NAME: 'Example Ratings Ltd',
  OPERATOR_ADDRESS: '1 Example Street',
  OPERATOR_COUNTRY: 'GB',
  OPERATOR_CONTACT: 'desk@ratings.example',
  OPERATOR_FUNDING: 'Customers pay.',
};

test.each([undefined, 'http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:80', 'https://a.localhost/base'])(
  'a service at %s is not public, and lacks nothing',
  (url) => expect(findMissingOperatorSettings(url, readConfig({}).operator)).toEqual([]),
);

test.each(['https://ratings.example', 'http://10.0.0.1:3000', 'https://localhost.example'])(
  'a service at %s is public, and lacks each required setting that is not set',
  (url) => {
    expect(findMissingOperatorSettings(url, readConfig({}).operator)).toEqual(Object.keys(WHOLE));
    const { OPERATOR_FUNDING: _, ...rest } = WHOLE;
    expect(findMissingOperatorSettings(url, readConfig(rest).operator)).toEqual(['OPERATOR_FUNDING']);
    expect(findMissingOperatorSettings(url, readConfig(WHOLE).operator)).toEqual([]);
  },
);

test('the line for status names the operator, and what a public service lacks', () => {
  const url = 'https://ratings.example';
  expect(describeOperator(url, readConfig(WHOLE).operator)).toBe('Example Ratings Ltd');
  expect(describeOperator(undefined, readConfig({}).operator)).toBe('not stated');
  expect(describeOperator(url, readConfig({}).operator)).toBe(
    `not stated; the service is public, and ${Object.keys(WHOLE).join(', ')} must be set`,
  );
});

test('a demo has a fictional operator that says so, unless an operator is set', () => {
  expect(findDemoOperator(readConfig({}).operator).name).toContain('fictional');
  const own = readConfig(WHOLE).operator;
  expect(findDemoOperator(own)).toBe(own);
});
