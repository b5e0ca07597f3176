import { errors, exportJWK, generateKeyPair, type JSONWebKeySet } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { createKeys } from './keys.ts';

const generateJwk = async (kid: string) => ({
  ...(await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey)),
  kid,
  alg: 'ES256',
  use: 'sig',
});
const [first, second] = await Promise.all([generateJwk('first'), generateJwk('second')]);

let seconds: number;
let loads: number;
let faults: unknown[];
let answer: () => Promise<JSONWebKeySet>;
let keys: ReturnType<typeof createKeys>;

beforeEach(() => {
  seconds = 1_000_000;
  loads = 0;
  faults = [];
  answer = async () => ({ keys: [first] });
  const load = () => {
    loads += 1;
    return answer();
  };
  keys = createKeys(
    load,
    () => new Date(seconds * 1000),
    (error) => faults.push(error),
  );
});

const get = async (kid: string): Promise<'found' | 'unknown' | 'unavailable'> => {
  try {
    await keys.get({ alg: 'ES256', kid }, { payload: '', signature: '' });
    return 'found';
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return 'unavailable';
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown';
    throw error;
  }
};
const outage = async (): Promise<JSONWebKeySet> => {
  throw new Error('connect ECONNREFUSED');
};

describe('keys of a provider that answers', () => {
  test('keys are fetched once for concurrent requests', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => get('first')))).toEqual(Array(50).fill('found'));
    expect(loads).toBe(1);
  });

  test('a new key works once it is published, and a withdrawn key stops working once the kept keys are old', async () => {
    await get('first');
    answer = async () => ({ keys: [second] });
    seconds += 10;
    expect(await get('second')).toBe('found');
    expect(await get('first')).toBe('unknown');
    expect(loads).toBe(2);
  });

  test('keys are fetched again after ten minutes', async () => {
    await get('first');
    answer = async () => ({ keys: [second] });
    seconds += 599;
    expect(await get('first')).toBe('found');
    seconds += 1;
    expect(await get('first')).toBe('unknown');
    expect(loads).toBe(2);
  });

  test('keys are fetched at most every ten seconds, whatever key ids are invented', async () => {
    for (let second = 0; second < 60; second += 1, seconds += 1)
      for (let n = 0; n < 20; n += 1) expect(await get(`invented-${second}-${n}`)).toBe('unknown');
    expect(loads).toBe(6);
  });
});

describe('in an outage', () => {
  test('known keys continue to work, and unknown keys are unavailable', async () => {
    await get('first');
    answer = outage;
    seconds += 86_400;
    expect(await get('first')).toBe('found');
    expect(await get('second')).toBe('unavailable');
    answer = async () => ({ keys: [first, second] });
    seconds += 5;
    expect(await get('second')).toBe('found');
  });

  test('all keys are unavailable if the outage is at the start', async () => {
    answer = outage;
    expect(await get('first')).toBe('unavailable');
    answer = async () => ({ keys: [first] });
    expect(await get('first')).toBe('unavailable');
    seconds += 5;
    expect(await get('first')).toBe('found');
  });

  test('the provider is contacted at most every five seconds', async () => {
    answer = outage;
    for (let second = 0; second < 60; second += 1, seconds += 1)
      for (let n = 0; n < 20; n += 1) await get(`invented-${n}`);
    expect(loads).toBe(12);
    expect(faults).toHaveLength(12);
  });

  test('the first request in an outage waits; others use the known keys', async () => {
    await get('first');
    answer = outage;
    seconds += 600;
    await get('first');
    answer = () => new Promise(() => {});
    seconds += 5;
    expect(await get('first')).toBe('found');
    expect(loads).toBe(3);
  });

  test.each([{}, { keys: 'none' }, null, []])('an answer such as %j is not a key set', async (set) => {
    await get('first');
    answer = async () => set as unknown as JSONWebKeySet;
    seconds += 600;
    expect(await get('first')).toBe('found');
    expect(await get('second')).toBe('unavailable');
    expect(faults).toHaveLength(1);
  });
});
