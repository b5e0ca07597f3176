import { expect, test } from 'vitest';
import { bareAddresses } from './forwarded.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:8080', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['203.0.113.9:1,[2001:db8::1]:443 ,  192.0.2.1', '203.0.113.9, 2001:db8::1, 192.0.2.1'],
  ['unknown', 'unknown'],
  ['[]:1', ''],
  ['192.0.2.1:', '192.0.2.1:'],
  ['', ''],
])('%j has the addresses %j', (header, expected) => {
  expect(bareAddresses(header)).toBe(expected);
});
