import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, createPrepared, toAnswer } from './prepared.ts';

const MB = 2 ** 20;
const now = () => Date.now();
const answer = (value: unknown, builtAt = Date.now()): Answer => toAnswer(value, {}, '/', builtAt);

/** A build that ends when it is told to. */
const pending = () => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { build: vi.fn(() => promise), resolve, reject };
};

describe('what is ready', () => {
  test('is found again, and not built again', async () => {
    const prepared = createPrepared(MB, now);
    const build = vi.fn(async () => answer(1));
    const first = await prepared.obtain('/a', ['x'], build);
    expect(await prepared.obtain('/a', ['x'], build)).toBe(first);
    expect(prepared.find('/a')).toBe(first);
    expect(build).toHaveBeenCalledOnce();
    expect(prepared.find('/b')).toBeUndefined();
  });

  test.each<[string, (prepared: ReturnType<typeof createPrepared>) => void, boolean]>([
    ['its tag', (prepared) => prepared.changed(['x']), false],
    ['its other tag', (prepared) => prepared.changed(['y']), false],
    ['one of many', (prepared) => prepared.changed(['a', 'b', 'x']), false],
    ['another tag', (prepared) => prepared.changed(['z', 'xx']), true],
    ['nothing', (prepared) => prepared.changed([]), true],
    ['everything', (prepared) => prepared.clear(), false],
  ])('after a change of %s', async (_, change, stays) => {
    const prepared = createPrepared(MB, now);
    await prepared.obtain('/a', ['x', 'y'], async () => answer(1));
    change(prepared);
    expect(prepared.find('/a') !== undefined).toBe(stays);
    const next = await prepared.obtain('/a', ['x', 'y'], async () => answer(2));
    expect(String(next.plain)).toBe(stays ? '1' : '2');
    expect(prepared.find('/a')).toBe(next);
  });

  test('is not what was built before everything changed, though its tag had moved on often', async () => {
    const prepared = createPrepared(MB, now);
    for (let n = 0; n < 5; n++) prepared.changed(['x']);
    await prepared.obtain('/a', ['x'], async () => answer(1));
    prepared.clear();
    expect(prepared.find('/a')).toBeUndefined();
    const slow = pending();
    const running = prepared.obtain('/b', ['x'], slow.build);
    prepared.clear();
    prepared.changed(['x']);
    slow.resolve(answer(1));
    await running;
    expect(prepared.find('/b')).toBeUndefined();
  });
});

describe('what is being built', () => {
  test('is built once for all who wait', async () => {
    const prepared = createPrepared(MB, now);
    const slow = pending();
    const waiting = Array.from({ length: 50 }, () => prepared.obtain('/a', ['x'], slow.build));
    slow.resolve(answer(1));
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    expect(slow.build).toHaveBeenCalledOnce();
  });

  test('and changes meanwhile, is answered to those who waited, not kept, and not given to who comes later', async () => {
    const prepared = createPrepared(MB, now);
    const [old, fresh] = [pending(), pending()];
    const early = prepared.obtain('/a', ['x'], old.build);
    prepared.changed(['x']);
    const late = prepared.obtain('/a', ['x'], fresh.build);
    old.resolve(answer('old'));
    expect(String((await early).plain)).toBe('"old"');
    expect(prepared.find('/a')).toBeUndefined();
    fresh.resolve(answer('new'));
    expect(String((await late).plain)).toBe('"new"');
    expect(prepared.find('/a')).toBe(await late);
  });

  test('is compressed once for all who wait, and again where that failed', async () => {
    const prepared = createPrepared(MB, now);
    const kept = await prepared.obtain('/a', ['x'], async () => answer('x'.repeat(5000)));
    const forms = await Promise.all(Array.from({ length: 50 }, () => prepared.formOf('/a', kept, 'br')));
    expect(new Set(forms).size).toBe(1);
    const broken = { ...answer(1), plain: undefined as never };
    await expect(prepared.formOf('/b', broken, '')).rejects.toThrow();
    Object.assign(broken, { plain: Buffer.from('1') });
    expect((await prepared.formOf('/b', broken, '')).bytes).toBe(broken.plain);
  });

  test('and fails, fails for all who wait, and is tried again by the next', async () => {
    const prepared = createPrepared(MB, now);
    const slow = pending();
    const waiting = Promise.allSettled([prepared.obtain('/a', [], slow.build), prepared.obtain('/a', [], slow.build)]);
    slow.reject(new Error('no'));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(String((await prepared.obtain('/a', [], async () => answer(1))).plain)).toBe('1');
  });
});

describe('what is stale', () => {
  const START = 1e12;
  let seenAt = START;
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    seenAt = START;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An answer that was ready before what it shows changed. */
  const stale = async () => {
    const prepared = createPrepared(MB, () => seenAt);
    const first = await prepared.obtain('/a', ['x'], async () => answer('old'));
    prepared.changed(['x']);
    return { prepared, first };
  };
  const away = () => Promise.reject(new mongoose.mongo.MongoNetworkError('gone'));
  const saying = (text: string) => async () => answer(text);

  test('is given with its age where the database is away, and made anew where it is back', async () => {
    const { prepared, first } = await stale();
    expect(await prepared.obtain('/a', ['x'], away)).toBe(first);
    expect(prepared.ageOf(first)).toBe(1);
    vi.advanceTimersByTime(1000);
    seenAt = Date.now();
    expect(prepared.ageOf(first)).toBe(2);
    const next = await prepared.obtain('/a', ['x'], saying('new'));
    expect([String(next.plain), prepared.ageOf(next)]).toEqual(['"new"', 0]);
  });

  test('is as old as it is, however long nobody asked for it', async () => {
    const { prepared, first } = await stale();
    vi.advanceTimersByTime(600_000);
    seenAt = Date.now();
    expect(await prepared.obtain('/a', ['x'], away)).toBe(first);
    expect(prepared.ageOf(first)).toBe(601);
  });

  test('is given where the database takes longer than a second; what it says then is the next answer', async () => {
    const { prepared, first } = await stale();
    const slow = pending();
    const given = prepared.obtain('/a', ['x'], slow.build);
    await vi.advanceTimersByTimeAsync(999);
    seenAt = Date.now();
    await vi.advanceTimersByTimeAsync(1);
    expect(await given).toBe(first);
    slow.resolve(answer('new'));
    await vi.advanceTimersByTimeAsync(0);
    expect(String(prepared.find('/a')?.plain)).toBe('"new"');
  });

  test('is given at once, and the database not asked, while changes are not followed', async () => {
    const { prepared, first } = await stale();
    vi.advanceTimersByTime(1500);
    const build = vi.fn(saying('new'));
    expect(await prepared.obtain('/a', ['x'], build)).toBe(first);
    expect(prepared.find('/a')).toBe(first);
    expect(build).not.toHaveBeenCalled();
  });

  test('is no answer to a refusal, and gone with it', async () => {
    const { prepared } = await stale();
    await expect(prepared.obtain('/a', ['x'], () => Promise.reject(new Error('no such broker')))).rejects.toThrow(
      'no such',
    );
    await expect(prepared.obtain('/a', ['x'], away)).rejects.toThrow('gone');
  });

  test('is gone with everything else', async () => {
    const { prepared } = await stale();
    const slow = pending();
    const built = prepared.obtain('/a', ['x'], slow.build);
    prepared.clear();
    slow.resolve(answer('of before'));
    await built;
    await expect(prepared.obtain('/a', ['x'], away)).rejects.toThrow('gone');
  });

  test('is never one from before what somebody was given, though others are being made', async () => {
    const { prepared } = await stale();
    const [second, third] = [pending(), pending()];
    const given = prepared.obtain('/a', ['x'], second.build);
    prepared.changed(['x']);
    const later = prepared.obtain('/a', ['x'], third.build);
    second.resolve(answer('second'));
    const seen = await given;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await later).toBe(seen);
    third.resolve(answer('third'));
    await vi.advanceTimersByTimeAsync(0);
    expect(String(prepared.find('/a')?.plain)).toBe('"third"');
  });

  test('is the last that could be made, though a change overtook it', async () => {
    const { prepared } = await stale();
    const slow = pending();
    const built = prepared.obtain('/a', ['x'], slow.build);
    prepared.changed(['x']);
    slow.resolve(answer('later'));
    const later = await built;
    expect(await prepared.obtain('/a', ['x'], away)).toBe(later);
  });
});

describe('memory', () => {
  test('stays within its bound, whatever is asked for', async () => {
    const prepared = createPrepared(MB, now);
    for (let n = 0; n < 5000; n++) {
      await prepared.obtain(`/search?q=${n}`, ['x'], async () => answer('x'.repeat(500)));
      expect(prepared.bytes()).toBeLessThanOrEqual(MB);
    }
    expect(prepared.find('/search?q=4999')).toBeDefined();
    expect(prepared.find('/search?q=0')).toBeUndefined();
  });

  test('counts the forms that come later, and none of an answer that is gone', async () => {
    const prepared = createPrepared(MB, now);
    const kept = await prepared.obtain('/a', [], async () => answer('x'.repeat(5000)));
    const before = prepared.bytes();
    const form = await prepared.formOf('/a', kept, 'gzip');
    expect(await prepared.formOf('/a', kept, 'gzip')).toBe(form);
    expect((await prepared.formOf('/a', kept, '')).bytes).toBe(kept.plain);
    expect(prepared.bytes()).toBe(before + form.bytes.length);
    await prepared.formOf('/a', answer(1), 'gzip');
    await prepared.formOf('/b', answer(1), 'gzip');
    expect(prepared.bytes()).toBe(before + form.bytes.length);
  });

  test('of 0 keeps nothing', async () => {
    const prepared = createPrepared(0, now);
    const build = vi.fn(async () => answer(1));
    await prepared.obtain('/a', [], build);
    await prepared.obtain('/a', [], build);
    expect([build.mock.calls.length, prepared.bytes()]).toEqual([2, 0]);
  });
});

test.each([
  ['changes are followed, and it is old', 60_000, 200, 0],
  ['changes are not followed, and it is old', 60_000, 9_700, 9],
  ['changes are not followed, and it was built since', 4_200, 60_000, 4],
  ['changes were not followed for a moment', 60_000, 1_400, 0],
])('its age where %s', (_, builtAgo, seenAgo, age) => {
  vi.useFakeTimers({ now: 1e12 });
  const prepared = createPrepared(MB, () => 1e12 - seenAgo);
  expect(prepared.ageOf(answer(1, 1e12 - builtAgo))).toBe(age);
  vi.useRealTimers();
});
