import { expect, test } from 'vitest';
import { newLogKey, parseLogKey } from '../platform/log/keys.ts';
import type { Answer } from './answers.rule.ts';
import { measure, type Round } from './measure.ts';
import type { State } from './state.ts';
import { createReceiver } from './webhook.ts';

const MINUTE = '2026-11-23T10:05Z';
const key = parseLogKey(newLogKey('frankfurt-1'));

/** A round in which the service answers by path. */
const roundOf = (answers: Readonly<Record<string, Answer>>, over: Partial<Round> = {}): Round => {
  const ask = async (path: string): Promise<Answer> =>
    Object.entries(answers).find(([part]) => path.includes(part))?.[1] ?? { status: 200, body: '{"data":[]}' };
  const state = { ends: [] } as unknown as State;
  return {
    caller: { ask, close: async () => {} },
    key,
    token: undefined,
    logKeys: [],
    canaryEvery: undefined,
    webhooks: undefined,
    state,
    pending: {},
    tell: () => {},
    ...over,
  };
};

test('a feed that fails at once is not a fast one: its freshness is the time that a caller waits', async () => {
  const seen = await measure(
    roundOf({ '/changes': { status: 503, body: '' } }, { token: 'bte_x', canaryEvery: 1 }),
    MINUTE,
  );
  expect(seen.checks.write?.ok).toBe(true);
  expect(seen.checks.feed?.ok).toBe(false);
  expect(seen.freshnessMs).toBe(5000);
});

test.each([
  ['never came has taken longer than is promised', undefined],
  ['comes in its last moment is there', 40],
])('a webhook that %s', async (_, afterMs) => {
  const receiver = createReceiver({} as State, key.name);
  const sentAt = performance.now() - 59_800;
  const begin = performance.now();
  const webhooks: Round['webhooks'] = {
    ...receiver,
    arrivalOf: async (canary, withinMs = 0) => {
      await receiver.arrivalOf(canary, withinMs);
      return afterMs !== undefined && withinMs > afterMs ? begin + afterMs : undefined;
    },
  };
  const { checks, webhookMs } = await measure(
    roundOf({}, { webhooks, pending: { canary: { sentAt, number: 7 } } }),
    MINUTE,
  );
  expect(checks.webhook?.ok).toBe(afterMs !== undefined);
  if (afterMs === undefined) expect(webhookMs).toBeGreaterThan(60_000);
  else expect(webhookMs).toBeLessThan(60_000);
});
