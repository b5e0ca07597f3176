import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createCacheCounts } from '../../platform/observe/reading.ts';
import { type CachedAnswer, createResponseCache, toCachedAnswer } from './response-cache.ts';

const counts = createCacheCounts(createMetrics());

const MB = 2 ** 20;
const now = () => Date.now();
const answer = (value: unknown, builtAt = Date.now()): CachedAnswer =>
  toCachedAnswer({ limit: 'public', body: value, headers: {}, route: '/', builtAt });

/** A build that ends when it is told to. */
const pending = () => {
  const { promise, resolve, reject } = Promise.withResolvers<CachedAnswer>();
  return { build: vi.fn(() => promise), resolve, reject };
};

describe('what is ready', () => {
  test('an answer that is ready is found again, and not built again', async () => {
    const cache = createResponseCache(MB, now, counts);
    const build = vi.fn(async () => answer(1));
    const first = await cache.obtain('/a', ['x'], build);
    expect(await cache.obtain('/a', ['x'], build)).toBe(first);
    expect(cache.find('/a')).toBe(first);
    expect(build).toHaveBeenCalledOnce();
    expect(cache.find('/b')).toBeUndefined();
  });

  test.each<[string, (cache: ReturnType<typeof createResponseCache>) => void, boolean]>([
    ['its tag', (cache) => cache.changed(['x']), false],
    ['its other tag', (cache) => cache.changed(['y']), false],
    ['one of many', (cache) => cache.changed(['a', 'b', 'x']), false],
    ['another tag', (cache) => cache.changed(['z', 'xx']), true],
    ['nothing', (cache) => cache.changed([]), true],
    ['everything', (cache) => cache.clear(), false],
  ])('an answer stays ready, or is built again, after a change of %s', async (_, change, stays) => {
    const cache = createResponseCache(MB, now, counts);
    await cache.obtain('/a', ['x', 'y'], async () => answer(1));
    change(cache);
    expect(cache.find('/a') !== undefined).toBe(stays);
    const next = await cache.obtain('/a', ['x', 'y'], async () => answer(2));
    expect(String(next.plain)).toBe(stays ? '1' : '2');
    expect(cache.find('/a')).toBe(next);
  });

  test('an answer built before everything changed is not ready, however often its tag had changed', async () => {
    const cache = createResponseCache(MB, now, counts);
    for (let n = 0; n < 5; n++) cache.changed(['x']);
    await cache.obtain('/a', ['x'], async () => answer(1));
    cache.clear();
    expect(cache.find('/a')).toBeUndefined();
    const slow = pending();
    const running = cache.obtain('/b', ['x'], slow.build);
    cache.clear();
    cache.changed(['x']);
    slow.resolve(answer(1));
    await running;
    expect(cache.find('/b')).toBeUndefined();
  });
});

describe('what is made of another answer', () => {
  const parts = async (cache: ReturnType<typeof createResponseCache>) => {
    const part = await cache.obtain('/part', ['x'], async () => answer(1));
    const whole = () =>
      cache.obtain('/whole', ['w'], async (_addTags, addAnswer) => {
        addAnswer(part);
        return answer(2);
      });
    return { whole };
  };

  test.each([
    ['the other one shows', 'x', false],
    ['it shows itself', 'w', false],
    ['neither shows', 'z', true],
  ])(
    'an answer made of another one becomes stale only after a change of its own or the other’s content: %s',
    async (_, tag, stays) => {
      const cache = createResponseCache(MB, now, counts);
      const { whole } = await parts(cache);
      await whole();
      expect(cache.find('/whole')).toBeDefined();
      cache.changed([tag]);
      expect(cache.find('/whole') !== undefined).toBe(stays);
    },
  );

  test('an answer made of a stale one is stale from the beginning', async () => {
    const cache = createResponseCache(MB, now, counts);
    const { whole } = await parts(cache);
    cache.changed(['x']);
    await whole();
    expect(cache.find('/whole')).toBeUndefined();
  });
});

describe('what is being built', () => {
  test.each([
    ['before it is known to show it', true, false],
    ['after that', false, true],
  ])('an answer is not kept if what it turns out to show changes %s', async (_, isBefore, isAfter) => {
    const cache = createResponseCache(MB, now, counts);
    const build = vi.fn(async (addTags: (tags: readonly string[]) => void) => {
      if (isBefore) cache.changed(['y']);
      addTags(['y']);
      if (isAfter) cache.changed(['y']);
      return answer(1);
    });
    await cache.obtain('/a', ['x'], build);
    expect(cache.find('/a')).toBeUndefined();
    await cache.obtain('/b', ['x'], async (addTags) => {
      addTags(['y']);
      return answer(2);
    });
    expect(cache.find('/b')).toBeDefined();
    cache.changed(['y']);
    expect(cache.find('/b')).toBeUndefined();
  });

  test('an answer is built once for all who wait', async () => {
    const cache = createResponseCache(MB, now, counts);
    const slow = pending();
    const waiting = Array.from({ length: 50 }, () => cache.obtain('/a', ['x'], slow.build));
    slow.resolve(answer(1));
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    expect(slow.build).toHaveBeenCalledOnce();
  });

  test('an answer that changes while it is built goes to those who waited, and to nobody later', async () => {
    const cache = createResponseCache(MB, now, counts);
    const [old, fresh] = [pending(), pending()];
    const early = cache.obtain('/a', ['x'], old.build);
    cache.changed(['x']);
    const late = cache.obtain('/a', ['x'], fresh.build);
    old.resolve(answer('old'));
    expect(String((await early).plain)).toBe('"old"');
    expect(cache.find('/a')).toBeUndefined();
    fresh.resolve(answer('new'));
    expect(String((await late).plain)).toBe('"new"');
    expect(cache.find('/a')).toBe(await late);
  });

  test('an answer is compressed once for all who wait, and again if that failed', async () => {
    const cache = createResponseCache(MB, now, counts);
    const kept = await cache.obtain('/a', ['x'], async () => answer('x'.repeat(5000)));
    const bodies = await Promise.all(Array.from({ length: 50 }, () => cache.encode('/a', kept, 'br')));
    expect(new Set(bodies).size).toBe(1);
    const broken = { ...answer(1), plain: undefined as never };
    await expect(cache.encode('/b', broken, '')).rejects.toThrow();
    Object.assign(broken, { plain: Buffer.from('1') });
    expect((await cache.encode('/b', broken, '')).bytes).toBe(broken.plain);
  });

  test('a build that fails fails for all who wait, and the next request tries again', async () => {
    const cache = createResponseCache(MB, now, counts);
    const slow = pending();
    const waiting = Promise.allSettled([cache.obtain('/a', [], slow.build), cache.obtain('/a', [], slow.build)]);
    slow.reject(new Error('no'));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(String((await cache.obtain('/a', [], async () => answer(1))).plain)).toBe('1');
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
    const cache = createResponseCache(MB, () => seenAt, counts);
    const first = await cache.obtain('/a', ['x'], async () => answer('old'));
    cache.changed(['x']);
    return { cache, first };
  };
  const away = () => Promise.reject(new mongoose.mongo.MongoNetworkError('gone'));
  const saying = (text: string) => async () => answer(text);

  test('a stale answer is given with its age while the database is away, and made anew once it is back', async () => {
    const { cache, first } = await stale();
    expect(await cache.obtain('/a', ['x'], away)).toBe(first);
    expect(cache.readAge(first)).toBe(1);
    vi.advanceTimersByTime(1000);
    seenAt = Date.now();
    expect(cache.readAge(first)).toBe(2);
    const next = await cache.obtain('/a', ['x'], saying('new'));
    expect([String(next.plain), cache.readAge(next)]).toEqual(['"new"', 0]);
  });

  test('a stale answer is as old as it is, however long nobody asked for it', async () => {
    const { cache, first } = await stale();
    vi.advanceTimersByTime(600_000);
    seenAt = Date.now();
    expect(await cache.obtain('/a', ['x'], away)).toBe(first);
    expect(cache.readAge(first)).toBe(601);
  });

  test('a stale answer is given after a second; what the database says then is the next answer', async () => {
    const { cache, first } = await stale();
    const slow = pending();
    const given = cache.obtain('/a', ['x'], slow.build);
    await vi.advanceTimersByTimeAsync(999);
    seenAt = Date.now();
    await vi.advanceTimersByTimeAsync(1);
    expect(await given).toBe(first);
    slow.resolve(answer('new'));
    await vi.advanceTimersByTimeAsync(0);
    expect(String(cache.find('/a')?.plain)).toBe('"new"');
  });

  test('a stale answer is given at once, without the database, while changes are not followed', async () => {
    const { cache, first } = await stale();
    vi.advanceTimersByTime(1500);
    const build = vi.fn(saying('new'));
    expect(await cache.obtain('/a', ['x'], build)).toBe(first);
    expect(cache.find('/a')).toBe(first);
    expect(build).not.toHaveBeenCalled();
  });

  test('a stale answer is given to nobody once a text was taken down, even while the database is slow or away', async () => {
    const { cache } = await stale();
    cache.textTakenDown();
    await expect(cache.obtain('/a', ['x'], away)).rejects.toThrow('gone');
    const slow = pending();
    const given = cache.obtain('/a', ['x'], slow.build);
    await vi.advanceTimersByTimeAsync(1500);
    expect([cache.find('/a'), cache.isAtHand('/a')]).toEqual([undefined, true]); // it is being built
    slow.resolve(answer('without the text'));
    expect(String((await given).plain)).toBe('"without the text"');
    cache.changed(['x']);
    expect(await cache.obtain('/a', ['x'], away)).toBe(await given);
  });

  test('a stale answer does not replace a refusal, and is gone with it', async () => {
    const { cache } = await stale();
    await expect(cache.obtain('/a', ['x'], () => Promise.reject(new Error('no such broker')))).rejects.toThrow(
      'no such',
    );
    await expect(cache.obtain('/a', ['x'], away)).rejects.toThrow('gone');
  });

  test('a stale answer is gone with everything else', async () => {
    const { cache } = await stale();
    const slow = pending();
    const built = cache.obtain('/a', ['x'], slow.build);
    cache.clear();
    slow.resolve(answer('of before'));
    await built;
    await expect(cache.obtain('/a', ['x'], away)).rejects.toThrow('gone');
  });

  test('a stale answer is never older than one that was given, though others are being made', async () => {
    const { cache } = await stale();
    const [second, third] = [pending(), pending()];
    const given = cache.obtain('/a', ['x'], second.build);
    cache.changed(['x']);
    const later = cache.obtain('/a', ['x'], third.build);
    second.resolve(answer('second'));
    const seen = await given;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await later).toBe(seen);
    third.resolve(answer('third'));
    await vi.advanceTimersByTimeAsync(0);
    expect(String(cache.find('/a')?.plain)).toBe('"third"');
  });

  test('the stale answer is the last that could be made, though a change overtook it', async () => {
    const { cache } = await stale();
    const slow = pending();
    const built = cache.obtain('/a', ['x'], slow.build);
    cache.changed(['x']);
    slow.resolve(answer('later'));
    const later = await built;
    expect(await cache.obtain('/a', ['x'], away)).toBe(later);
  });
});

describe('memory', () => {
  test('stays within its bound, whatever is asked for', async () => {
    const cache = createResponseCache(MB, now, counts);
    for (let n = 0; n < 5000; n++) {
      await cache.obtain(`/search?q=${n}`, ['x'], async () => answer('x'.repeat(500)));
      expect(cache.bytes()).toBeLessThanOrEqual(MB);
    }
    expect(cache.find('/search?q=4999')).toBeDefined();
    expect(cache.find('/search?q=0')).toBeUndefined();
  });

  test('counts the bodies that come later, and none of an answer that is gone', async () => {
    const cache = createResponseCache(MB, now, counts);
    const kept = await cache.obtain('/a', [], async () => answer('x'.repeat(5000)));
    const before = cache.bytes();
    const form = await cache.encode('/a', kept, 'gzip');
    expect(await cache.encode('/a', kept, 'gzip')).toBe(form);
    expect((await cache.encode('/a', kept, '')).bytes).toBe(kept.plain);
    expect(cache.bytes()).toBe(before + form.bytes.length);
    await cache.encode('/a', answer(1), 'gzip');
    await cache.encode('/b', answer(1), 'gzip');
    expect(cache.bytes()).toBe(before + form.bytes.length);
  });

  test('a memory of 0 keeps nothing', async () => {
    const cache = createResponseCache(0, now, counts);
    const build = vi.fn(async () => answer(1));
    await cache.obtain('/a', [], build);
    await cache.obtain('/a', [], build);
    expect([build.mock.calls.length, cache.bytes()]).toEqual([2, 0]);
  });
});

test.each([
  ['changes are followed, and it is old', 60_000, 200, 0],
  ['changes are not followed, and it is old', 60_000, 9_700, 9],
  ['changes are not followed, and it was built since', 4_200, 60_000, 4],
  ['changes were not followed for a moment', 60_000, 1_400, 0],
])('an answer has the right age if %s', (_, builtAgo, seenAgo, age) => {
  vi.useFakeTimers({ now: 1e12 });
  const cache = createResponseCache(MB, () => 1e12 - seenAgo, counts);
  expect(cache.readAge(answer(1, 1e12 - builtAgo))).toBe(age);
  vi.useRealTimers();
});
