import { expect, test } from 'vitest';
import type { Credential } from './access.ts';
import { createRecentCredentials } from './recent-credentials.ts';

const HEADER = 'Bearer btr_alice';
const START = Date.parse('2026-11-22T12:00:00Z');

const good: Credential = {
  principal: {
    accountId: 'account-1',
    tokenId: 'token-1',
    scopes: [],
    kycVerified: false,
    personKey: 'p',
    displayName: 'Alice',
    goodUntil: new Date(START + 10_000),
  },
};
const bad: Credential = { principal: undefined, given: true };

const create = () => {
  const state = { now: START, followed: true };
  const recent = createRecentCredentials(
    () => new Date(state.now),
    () => state.followed,
  );
  return { recent, state };
};

test('a good credential is known until its token or its account changes', async () => {
  for (const changed of ['token-1', 'account-1']) {
    const { recent } = create();
    expect(recent.find(HEADER)).toBeUndefined();
    expect(await recent.remember(HEADER, async () => good)).toBe(good);
    recent.forget('somebody else');
    expect(recent.find(HEADER)).toEqual(good);
    expect(recent.find(`${HEADER}x`)).toBeUndefined();
    recent.forget(changed);
    expect(recent.find(HEADER), changed).toBeUndefined();
  }
});

test('a bad credential is never known', async () => {
  const { recent } = create();
  expect(await recent.remember(HEADER, async () => bad)).toBe(bad);
  expect(recent.find(HEADER)).toBeUndefined();
});

test('a credential that changed while it was looked up is not remembered', async () => {
  for (const change of ['forget', 'forgetAll'] as const) {
    const { recent } = create();
    const looked = Promise.withResolvers<Credential>();
    const done = recent.remember(HEADER, () => looked.promise);
    recent[change]('token-1');
    looked.resolve(good);
    await done;
    expect(recent.find(HEADER), change).toBeUndefined();
  }
});

test('an expired credential is not known, nor any while changes are not followed', async () => {
  const { recent, state } = create();
  await recent.remember(HEADER, async () => good);
  state.followed = false;
  expect(recent.find(HEADER)).toBeUndefined();
  state.followed = true;
  expect(recent.find(HEADER)).toEqual(good);
  state.now = START + 10_000;
  expect(recent.find(HEADER)).toBeUndefined();
});

test('nothing is known once the history of changes is lost', async () => {
  const { recent } = create();
  await recent.remember(HEADER, async () => good);
  recent.forgetAll();
  expect(recent.find(HEADER)).toBeUndefined();
});
