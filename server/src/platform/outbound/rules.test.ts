import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAddresses, checkUrl, OutboundError } from './rules.ts';

const rules = { ports: [80, 443], allowLoopback: false };

test('traffic that is not encrypted stays in the networks that are named', () => {
  const inside = { allowLoopback: false, networks: ['10.1.0.0/16'], onlyNetworks: true };
  expect(() => checkAddresses('crm.example', ['10.1.2.3'], inside)).not.toThrow();
  for (const address of ['8.8.8.8', '10.2.0.1', '127.0.0.1', '::1'])
    expect(() => checkAddresses('crm.example', ['10.1.2.3', address], inside)).toThrow(/none of the networks/);
});

test.each([
  'https://feeds.example/rss',
  'http://feeds.example/',
  'https://feeds.example:443/',
  'http://feeds.example:443/',
  'http://8.8.8.8/',
  'https://[2001:4860:4860::8888]/',
])('%s is allowed', (url) => {
  expect(() => checkUrl(new URL(url), rules)).not.toThrow();
});

test.each([
  ['ftp://feeds.example/', 'ftp:'],
  ['file:///etc/passwd', 'file:'],
  ['javascript:alert(1)', 'javascript:'],
  ['data:text/xml,<rss/>', 'data:'],
  ['https://user:secret@feeds.example/', 'user name'],
  ['https://feeds.example:8443/', 'port 8443'],
  ['http://feeds.example:22/', 'port 22'],
  ['http://127.0.0.1/', 'not public'],
  ['http://2130706433/', 'not public'],
  ['http://0x7f.1/', 'not public'],
  ['http://0177.0.0.1/', 'not public'],
  ['http://127.1/', 'not public'],
  ['http://１２７.0.0.1/', 'not public'],
  ['http://0/', 'not public'],
  ['http://[::1]/', 'not public'],
  ['http://[::ffff:127.0.0.1]/', 'not public'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'not public'],
  ['http://169.254.169.254/latest/meta-data', 'not public'],
])('%s is refused: %s', (url, reason) => {
  const check = () => checkUrl(new URL(url), rules);
  expect(check).toThrow(OutboundError);
  expect(check).toThrow(reason);
  expect(check).not.toThrow('secret');
});

test('allows loopback if configured, and no other private address', () => {
  const loose = { ports: [80], allowLoopback: true };
  expect(() => checkUrl(new URL('http://127.0.0.1/'), loose)).not.toThrow();
  expect(() => checkUrl(new URL('http://[::1]/'), loose)).not.toThrow();
  for (const host of ['10.0.0.1', '169.254.169.254', '[fe80::1]', '0.0.0.0'])
    expect(() => checkUrl(new URL(`http://${host}/`), loose)).toThrow('not public');
});

test('allows a configured network, and no other private one', () => {
  const own = { ...rules, networks: ['10.1.0.0/16'] };
  expect(() => checkUrl(new URL('https://10.1.2.3/'), own)).not.toThrow();
  expect(() => checkAddresses('login.internal', ['10.1.2.3', '8.8.8.8'], own)).not.toThrow();
  expect(() => checkAddresses('login.internal', ['10.1.2.3', '10.2.2.3'], own)).toThrow('10.2.2.3: not public');
  expect(() => checkUrl(new URL('https://169.254.169.254/'), own)).toThrow('not public');
});

test.each([
  [['8.8.8.8'], undefined],
  [['8.8.8.8', '2001:4860:4860::8888'], undefined],
  [['8.8.8.8', '10.0.0.1'], 'which is 10.0.0.1: not public'],
  [['::1', '8.8.8.8'], 'which is ::1: not public'],
  [[], 'has no address'],
])('a host with the addresses %j is refused for this reason: %s', (addresses, reason) => {
  const check = () => checkAddresses('feeds.example', addresses, rules);
  if (reason === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(reason);
});

const isRefused = (address: string): boolean => {
  try {
    checkUrl(new URL(`http://${address}/`), rules);
    return false;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return true;
  }
};

/** The special-purpose ranges of RFC 6890, and multicast. */
const PRIVATE = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [net = '', prefix] = range.split('/');
  PRIVATE.addSubnet(net, Number(prefix));
}

test('judges an address by its destination, in whatever notation it is written', () => {
  const near = fc.constantFrom(0, 1, 10, 100, 127, 169, 172, 192, 198, 203, 224);
  const octet = fc.oneof(near, fc.nat(255));
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
      const dotted = octets.join('.');
      const number = octets.reduce((sum, part) => sum * 256 + part, 0);
      const hex = number.toString(16).padStart(8, '0');
      const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
      const refused = PRIVATE.check(dotted);
      for (const written of [
        dotted,
        String(number),
        `0x${hex}`,
        octets.map((part) => `0${part.toString(8)}`).join('.'),
        `[::ffff:${dotted}]`,
        `[::ffff:${groups}]`,
        `[64:ff9b::${groups}]`,
      ])
        expect([written, isRefused(written)]).toEqual([written, refused]);
      for (const tunnel of [`[::${groups}]`, `[2002:${groups}::1]`, `[2001:0:${groups}::]`, `[fe80::${groups}]`])
        expect([tunnel, isRefused(tunnel)]).toEqual([tunnel, true]);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
