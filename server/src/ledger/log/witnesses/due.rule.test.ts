import { describe, expect, test } from 'vitest';
import { computeDelay } from '../../../platform/delivery/retry.rule.ts';
import { isDue, isPlausible, WITNESS_RETRIES } from './due.rule.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe('a witness is asked', () => {
  test.each<[string, boolean, Parameters<typeof isDue>[0]]>([
    ['about its first checkpoint', true, { notBefore: ago(9), cosignatures: [] }],
    ['about a checkpoint after another one', true, { notBefore: ago(9), cosignatures: [{ text: 'b\n', at: ago(0) }] }],
    ['not again about the same', false, { notBefore: ago(9), cosignatures: [{ text: 'a\n', at: ago(59) }] }],
    ['again about the same after an hour', true, { notBefore: ago(60), cosignatures: [{ text: 'a\n', at: ago(60) }] }],
    ['not while it is left alone', false, { notBefore: ago(-1), cosignatures: [] }],
    ['not while its renewal is put off', false, { notBefore: ago(-1), cosignatures: [{ text: 'a\n', at: ago(600) }] }],
    ['as soon as that is over', true, { notBefore: NOW, cosignatures: [] }],
  ])('%s', (_, expected, known) => {
    expect(isDue(known, 'a\n', NOW)).toBe(expected);
  });
});

test('a witness that fails is left alone twice as long each time up to ten minutes, by chance a third shorter', () => {
  const seconds = (random: number) =>
    Array.from({ length: 10 }, (_, at) => computeDelay(WITNESS_RETRIES, at + 1, random) / 1000);
  expect(seconds(1)).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
  expect(seconds(0).slice(7)).toEqual([400, 400, 400]);
});

test.each([
  [0, true],
  [1440, true],
  [1441, false],
  [-1440, true],
  [-1441, false],
  [Number.NaN, false],
])('a signature of %d minutes ago is plausible: %s', (minutes, expected) => {
  expect(isPlausible(ago(minutes), NOW)).toBe(expected);
});
