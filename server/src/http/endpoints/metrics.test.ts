import { expect, test } from 'vitest';
import { type MetricsReaders, mayRead, resolveMetricsReaders } from './metrics.ts';

const ALONE = { metricsToken: undefined, internalPort: undefined, trustProxy: 0, publicUrl: undefined };

test.each<[string, Partial<Parameters<typeof resolveMetricsReaders>[0]>, MetricsReaders]>([
  ['this machine, where nothing stands in front', {}, 'local'],
  ['nobody behind a proxy that is believed', { trustProxy: 1 }, 'none'],
  ['nobody behind a proxy that is believed by its address', { trustProxy: ['10.0.0.1'] }, 'none'],
  ['nobody under a public address', { publicUrl: 'https://ratings.example' }, 'none'],
  ['who has the token', { metricsToken: 'a token', trustProxy: 1 }, { token: 'a token' }],
  ['who has the token, on a port of its own too', { metricsToken: 'a token', internalPort: 1 }, { token: 'a token' }],
  ['whoever reaches a port of its own', { internalPort: 0, trustProxy: 1, publicUrl: 'https://a.example' }, 'any'],
])('metrics are told to %s', (_, over, readers) => {
  expect(resolveMetricsReaders({ ...ALONE, ...over })).toEqual(readers);
});

test.each<[readers: MetricsReaders, from: string, headers: Record<string, string>, allowed: boolean]>([
  ['any', '192.0.2.1', {}, true],
  ['any', '127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, true],
  ['local', '127.0.0.1', {}, true],
  ['local', '::ffff:127.0.0.1', {}, true],
  ['local', '::1', {}, true],
  ['local', '192.0.2.1', {}, false],
  ...['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].map(
    (name): [MetricsReaders, string, Record<string, string>, boolean] => [
      'local',
      '127.0.0.1',
      { [name]: '192.0.2.1' },
      false,
    ],
  ),
  ['none', '127.0.0.1', {}, false],
  ['none', '127.0.0.1', { authorization: 'Bearer undefined' }, false],
  [{ token: 'a token' }, '127.0.0.1', {}, false],
  [{ token: 'a token' }, '127.0.0.1', { authorization: 'Bearer another' }, false],
  [{ token: 'a token' }, '192.0.2.1', { authorization: 'Bearer a token' }, true],
])('metrics for %j: a caller from %s with %j may read: %s', (readers, remoteAddress, headers, allowed) => {
  expect(mayRead({ socket: { remoteAddress }, headers }, readers)).toBe(allowed);
});
