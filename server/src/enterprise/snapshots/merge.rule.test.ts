import { describe, expect, test } from 'vitest';
import { mergeByKey } from './merge.rule.ts';

interface Line {
  readonly key: string;
  readonly isGone: boolean;
  readonly from: string;
}

async function* walk(from: string, keys: string): AsyncIterable<Line> {
  for (const key of keys) yield { key: key.toLowerCase(), isGone: key !== key.toLowerCase(), from };
}

/** Keys that are gone are in capitals. */
const merged = async (older: string, newer: string): Promise<string> => {
  const lines: string[] = [];
  for await (const { key, from } of mergeByKey(walk('old', older), walk('new', newer))) lines.push(`${from} ${key}`);
  return lines.join(', ');
};

describe('merging by key', () => {
  test.each([
    ['nothing', '', '', ''],
    ['only older ones', 'ac', '', 'old a, old c'],
    ['only newer ones', '', 'ac', 'new a, new c'],
    ['each in its place', 'bd', 'ace', 'new a, old b, new c, old d, new e'],
    ['a newer one in place of an older one', 'abc', 'b', 'old a, new b, old c'],
    ['one that is gone', 'abc', 'B', 'old a, old c'],
    ['one that is gone and never was there', 'ac', 'B', 'old a, old c'],
    ['all gone', 'ab', 'AB', ''],
    ['the last one gone', 'ab', 'B', 'old a'],
  ])('%s', async (_, older, newer, expected) => {
    expect(await merged(older, newer)).toBe(expected);
  });

  test('ends both walks when nobody reads on', async () => {
    const ended: string[] = [];
    async function* watched(from: string): AsyncIterable<Line> {
      try {
        yield* walk(from, 'abc');
      } finally {
        ended.push(from);
      }
    }
    for await (const _ of mergeByKey(watched('old'), watched('new'))) break;
    expect(ended).toEqual(['old', 'new']);
  });
});
