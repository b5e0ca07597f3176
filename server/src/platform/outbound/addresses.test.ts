import { expect, test } from 'vitest';
import { isLoopback, isPublicAddress, isThisMachine, isWithin } from './addresses.ts';

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const NOT_PUBLIC = `
  127.0.0.1 127.9.9.9 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1
  192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 192.88.99.1 :: ::1
  fe80::1 fe80::1%eth0 fc00::1 fd12::1 ff02::1 fec0::1 2001:db8::1 100::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
  ::ffff:a9fe:a9fe ::7f00:1 ::10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::8.8.8.8
  2002:7f00:1:: 2001::1 4000::1 localhost 1 127.1.example
`;

test.each(['', ...NOT_PUBLIC.trim().split(/\s+/)])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['127.0.0.1', true],
  ['127.5.5.5', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['64:ff9b::127.0.0.1', true],
  ['10.0.0.1', false],
  ['169.254.169.254', false],
  ['8.8.8.8', false],
  ['localhost', false],
])('%s is loopback: %s', (address, loopback) => {
  expect(isLoopback(address)).toBe(loopback);
});

test.each([
  ['10.1.2.3', ['10.1.0.0/16'], true],
  ['10.2.2.3', ['10.1.0.0/16'], false],
  ['10.2.2.3', ['10.1.0.0/16', '10.2.2.3'], true],
  ['::ffff:10.1.2.3', ['10.1.0.0/16'], true],
  ['fd12::1', ['fd00::/8'], true],
  ['fe80::1', ['fd00::/8', '0.0.0.0/0'], false],
  ['10.1.2.3', [], false],
  ['login.internal', ['10.1.0.0/16'], false],
])('%s is within %j: %s', (address, networks, within) => {
  expect(isWithin(address, networks)).toBe(within);
});

test.each([
  ...(['localhost', '127.0.0.1', '127.9.9.9', '[::1]'].map((host) => [host, true]) as [string, boolean][]),
  ...(['127.0.0.1.example', 'localhost.example', '10.0.0.1', '[::2]'].map((host) => [host, false]) as [
    string,
    boolean,
  ][]),
])('the host %s is this machine: %s', (host, here) => {
  expect(isThisMachine(host)).toBe(here);
});
