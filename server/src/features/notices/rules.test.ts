import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeNextTry } from '../../platform/delivery/retry.rule.ts';
import { addressIn, hashCode, mailAddress, maskedAddress, newCode } from './address.rule.ts';
import { preferredLanguage } from './languages.rule.ts';
import { LEASE_MS, NOTICE_RETRIES, SEND_MS } from './policy.rule.ts';

describe('the language of a header', () => {
  test.each([
    ['de-DE,de;q=0.9,en;q=0.5', 'de'],
    ['en', 'en'],
    ['es-MX, en;q=0.8', 'es'],
    ['fr, de;q=0.2, en;q=0.1', 'de'],
    ['en;q=0.1, de;q=0.2', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['fr', undefined],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
    [`de,${'x,'.repeat(400)}`, undefined],
  ])('%j is %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  test('any text is read', () => {
    fc.assert(fc.property(fc.string(), (header) => [undefined, 'en', 'de', 'es'].includes(preferredLanguage(header))));
  });
});

describe('an address', () => {
  test.each([
    [' Me@Mail.EXAMPLE ', 'Me@mail.example'],
    ['me@mail', undefined],
    ['me@mail.example\r\nBcc: you@mail.example', undefined],
    ['me@mail.example,you@mail.example', undefined],
    ['"a b"@mail.example', undefined],
    [undefined, undefined],
    [7, undefined],
    [`${'a'.repeat(250)}@mail.example`, undefined],
  ])('%j is %s', (text, address) => {
    expect(mailAddress(text)).toBe(address);
  });

  test.each([
    ['Ratings <mail@ratings.example>', 'mail@ratings.example'],
    ['mail@ratings.example', 'mail@ratings.example'],
    ['Ratings', undefined],
    ['Ratings <mail>', undefined],
  ])('the address of the sender %s is %s', (sender, address) => {
    expect(addressIn(sender)).toBe(address);
  });

  test('an address is shown without what identifies a person', () => {
    expect(maskedAddress('alice@mail.example')).toBe('a…@mail.example');
  });
});

test('a code is right however it is typed, and no two are the same', () => {
  const code = newCode();
  expect(code).toMatch(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/);
  expect(hashCode(` ${code.toLowerCase().replace('-', ' ')} `)).toBe(hashCode(code));
  expect(new Set(Array.from({ length: 1000 }, newCode)).size).toBe(1000);
});

test('tries become rarer, and end three days after the first', () => {
  const since = new Date('2027-01-01T00:00:00Z');
  const tried: number[] = [];
  for (let [now, failures]: [Date | null, number] = [since, 1]; now; failures++) {
    tried.push(now.getTime() - since.getTime());
    now = computeNextTry(NOTICE_RETRIES, { since, failures, now }, 0.5);
  }
  expect(tried.slice(1, 4)).toEqual([60_000, 360_000, 1_260_000]);
  expect(tried.at(-1)).toBe(NOTICE_RETRIES.lastsMs);
  expect(tried.length).toBeLessThan(30);
  expect(NOTICE_RETRIES.delaysMs.every((delay, at, all) => delay >= (all[at - 1] ?? 0))).toBe(true);
});

test('a message belongs to its process for longer than it may be sent', () => {
  expect(LEASE_MS).toBeGreaterThan(SEND_MS + 10_000);
});
