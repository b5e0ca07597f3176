import { expect, test } from 'vitest';
import { keptTarget } from './target.rule.ts';

const LONG = 'x'.repeat(400);

test.each([
  ['/enterprise/v1/account', '/enterprise/v1/account'],
  ['/enterprise/v1/changes?', '/enterprise/v1/changes'],
  ['/enterprise/v1/changes?after=5&wait=25', '/enterprise/v1/changes?after=5&wait=25'],
  [
    '/enterprise/v1/brokers?knownAt=2026-11-01T00:00:00.000Z',
    '/enterprise/v1/brokers?knownAt=2026-11-01T00:00:00.000Z',
  ],
  ['/enterprise/v1/changes?watchlist=Jane%20Doe&kind=review', '/enterprise/v1/changes?watchlist=…&kind=review'],
  ['/enterprise/v1/changes?name=Jane&name=Doe', '/enterprise/v1/changes?name=…&name=…'],
  ['/enterprise/v1/changes?month=Jane%20Doe', '/enterprise/v1/changes?month=…'],
  [`/enterprise/v1/changes?month=${LONG}`, '/enterprise/v1/changes?month=…'],
  ['/enterprise/v1/changes?Jane%20Doe=1&after=2', '/enterprise/v1/changes?after=2'],
  [`/enterprise/v1/${LONG}`, `/enterprise/v1/${LONG}`.slice(0, 300)],
])('the target %s is kept as %s', (target, kept) => {
  expect(keptTarget(target, '/changes')).toBe(kept);
});

test('a path that is not a route is not counted', () => {
  expect(keptTarget('/enterprise/v1/jane-doe?after=1', undefined)).toBe('…');
});
