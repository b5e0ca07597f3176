import { expect, test } from 'vitest';
import { checkAddresses, checkUrl, OutboundError } from './rules.ts';

const rules = { ports: [80, 443], allowLoopback: false };

test.each([
  'https://feeds.example/rss',
  'http://feeds.example/',
  'https://feeds.example:443/',
  'http://feeds.example:443/',
  'http://8.8.8.8/',
  'https://[2001:4860:4860::8888]/',
])('%s may be asked', (url) => {
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

test('loopback can be allowed; nothing else that is private can', () => {
  const loose = { ports: [80], allowLoopback: true };
  expect(() => checkUrl(new URL('http://127.0.0.1/'), loose)).not.toThrow();
  expect(() => checkUrl(new URL('http://[::1]/'), loose)).not.toThrow();
  for (const host of ['10.0.0.1', '169.254.169.254', '[fe80::1]', '0.0.0.0'])
    expect(() => checkUrl(new URL(`http://${host}/`), loose)).toThrow('not public');
});

test.each([
  [['8.8.8.8'], undefined],
  [['8.8.8.8', '2001:4860:4860::8888'], undefined],
  [['8.8.8.8', '10.0.0.1'], 'which is 10.0.0.1: not public'],
  [['::1', '8.8.8.8'], 'which is ::1: not public'],
  [[], 'has no address'],
])('a host with %j: %s', (addresses, reason) => {
  const check = () => checkAddresses('feeds.example', addresses, rules);
  if (reason === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(reason);
});
