import { expect, test } from 'vitest';
import { newLogKey, parseLogKey } from '../ledger/log/keys.ts';
import type { ServiceCaller } from './ask.ts';
import { measure, type ProbeRound } from './measure.ts';
import { createReceiver } from './webhook.ts';

const MARK = '2026-11-23T10:05Z';
const key = parseLogKey(newLogKey('frankfurt-1'));

const BODIES: readonly (readonly [string, object])[] = [
  ['/brokers/', { slug: 'alpha' }],
  ['/brokers?', { data: [{ slug: 'alpha' }] }],
  ['/account', {}],
  ['/canary/', { mark: MARK }],
];
const EMPTY_PAGE = { through: 9, end: 9, entries: [], tree: { size: 10 } };

/** A service of which all is right but for what a test says of its feed. */
const createRound = (
  feed: (path: string) => { status: number; body: string },
  more: Partial<ProbeRound> = {},
): ProbeRound => {
  const caller: ServiceCaller = {
    ask: async (path) => {
      if (path.includes('/changes?')) return feed(path);
      const [, body] = BODIES.find(([part]) => path.includes(part)) as readonly [string, object];
      return { status: 200, body: JSON.stringify(body) };
    },
    close: async () => {},
  };
  const state = { ends: [], given: {}, feed: { after: 9, end: 9 } };
  const rest = { logKeys: [], webhooks: undefined, pending: {}, tell: () => {} };
  return { caller, key, token: 'a', canaryEvery: 1, state, ...rest, ...more };
};

test('a feed that fails at once is not a fast one', async () => {
  const { checks, freshnessMs } = await measure(
    createRound(() => ({ status: 503, body: '{}' })),
    MARK,
  );
  expect(checks).toMatchObject({ write: { ok: true }, feed: { ok: false, error: 'the feed answers 503' } });
  expect(freshnessMs).toBeGreaterThanOrEqual(5000);
});

test('a webhook that never comes has taken longer than is promised', async () => {
  const webhooks = createReceiver({ ends: [], given: {} }, key.name);
  const pending = { canary: { sentAt: performance.now() - 59_500, number: 7 } };
  const feed = () => ({ status: 200, body: JSON.stringify(EMPTY_PAGE) });
  const seen = await measure(createRound(feed, { webhooks, pending, canaryEvery: undefined }), MARK);
  expect(seen.checks.webhook).toMatchObject({ ok: false });
  expect(seen.webhookMs).toBeGreaterThan(60_000);
  expect(pending.canary).toBeUndefined();
});
