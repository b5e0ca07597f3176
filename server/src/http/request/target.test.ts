import { expect, test } from 'vitest';
import { readTarget } from './target.ts';

const isInternal = (path: string): boolean => path.split('?', 1)[0] === '/metrics';

test.each<[target: string, read: string | undefined]>([
  ['/', '/'],
  ['*', '*'],
  ['/metrics', '/metrics'],
  ['/metrics?a=b', '/metrics?a=b'],
  ['//metrics', '//metrics'],
  ['/%6detrics', '/%6detrics'],
  ['/search?q={"a":[1]}', '/search?q={"a":[1]}'],
  ['http://a.example/brokers?limit=1', '/brokers?limit=1'],
  ['HTTPS://a.example', '/'],
  ['http://a.example?x', '/?x'],
  ['http://a.example/metrics', undefined],
  ['http://a.example/metrics?x', undefined],
  ['http://a.example//metrics', '//metrics'],
  ['HTTP://a.example/metrics', undefined],
  ['http://user:pass@a.example/brokers', '/brokers'],
  ['http://[::1/brokers', '/brokers'],
  ['/brokers\\', '/brokers\\'],
  ['/metrics#x', undefined],
  ['/metrics#', undefined],
  ['/metrics?#', undefined],
  ['/brokers?#limit=x', undefined],
  ['/brokers?limit=1#', undefined],
  ['#', undefined],
  ['?', undefined],
  ['/#/metrics', undefined],
  ['http://a.example#/metrics', undefined],
  ['http://a.example/#', undefined],
  ['/metrics\xa0', undefined],
  ['/metrics\t', undefined],
  ['/caf\xe9', undefined],
  ['/\x7f', undefined],
  ['http://', undefined],
  ['http:///metrics', undefined],
  ['ftp://a.example/', undefined],
  ['javascript:alert(1)', undefined],
  ['\\metrics', undefined],
  ['metrics', undefined],
  ['', undefined],
])('%j is read as %j', (target, read) => {
  expect(readTarget(target, isInternal)).toBe(read);
});
