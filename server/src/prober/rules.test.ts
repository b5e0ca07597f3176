import type { ProbeResult } from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';
import { countAgreedLines, countLinesBefore, isOpen, TAKES_NO_MORE, takeNextLines } from './deliver.rule.ts';
import { computeOwnBurnRates, toOwnStates } from './own.rule.ts';
import { formatError } from './wrong.rule.ts';

describe('deliveries', () => {
  test.each([
    ['nothing', { lines: 0, head: null }, 0],
    ['some of ours', { lines: 2, head: 'b' }, 2],
    ['all of ours', { lines: 3, head: 'c' }, 3],
    ['as many, but others', { lines: 2, head: 'x' }, undefined],
    ['more than we have', { lines: 4, head: 'd' }, undefined],
    ['lines without a head', { lines: 4, head: null }, undefined],
  ])('deliveries go on if the service has %s', (_what, has, agreed) => {
    expect(countAgreedLines(has, ['a', 'b', 'c'])).toBe(agreed);
  });

  test('deliveries are in pieces that the service takes, and end where nothing more is taken', () => {
    const lines = Array.from({ length: 1200 }, (_, n) => `${n} ${'x'.repeat(700)}`);
    const pieces: (readonly string[])[] = [];
    for (let at = 0; at < lines.length; at += pieces.at(-1)?.length ?? 1) pieces.push(takeNextLines(lines, at));
    expect(pieces.flat()).toEqual(lines);
    expect(Math.max(...pieces.map((piece) => piece.join('\n').length))).toBeLessThan(300_000);
    expect(takeNextLines(['x'.repeat(400_000), 'y'], 0), 'one at least').toHaveLength(1);
    expect(takeNextLines(lines, 1200)).toEqual([]);
    expect(takeNextLines(lines, TAKES_NO_MORE)).toEqual([]);
  });

  test.each([
    ['Line 3: frankfurt-1 had no vote at 2026-11-23T10:05Z.', 2],
    ['Line 1: it is no JSON.', 0],
    ['No prober has the name "Line".', 0],
    ['', 0],
  ])('deliveries that are refused by %j can have %i lines', (refusal, lines) => {
    expect(countLinesBefore(refusal)).toBe(lines);
  });

  test('deliveries are tried until the day is sealed for sure', () => {
    expect(isOpen('2026-11-20', new Date('2026-11-24T23:59Z'))).toBe(true);
    expect(isOpen('2026-11-20', new Date('2026-11-25T00:00Z'))).toBe(false);
  });
});

describe('what a prober sees by itself', () => {
  const now = new Date('2026-11-23T10:05:30Z');
  const result = (minute: string, ok: boolean) =>
    ({ minute: `2026-11-23T${minute}Z`, checks: { public: { ok, ms: 1 } } }) as ProbeResult;

  test('burns by the minutes that were down, and not by those in which it did not look', () => {
    expect([...computeOwnBurnRates(toOwnStates([], now)).values()]).toEqual([0, 0, 0, 0]);
    const seen = [result('10:05', false), result('10:02', false), result('10:02', true), result('09:20', false)];
    const rates = computeOwnBurnRates(toOwnStates(seen, now));
    expect(rates).toEqual(
      new Map([
        ['1h', 3000 / 60],
        ['5m', 2000 / 5],
        ['6h', 3000 / 360],
        ['30m', 2000 / 30],
      ]),
    );
  });
});

test.each([
  ['a\u202eb\nc\0', 'a b c '],
  ['\ud800 lone', '\ufffd lone'],
  ['x'.repeat(500), 'x'.repeat(200)],
  [`${'x'.repeat(199)}😀`, `${'x'.repeat(199)}\ufffd`],
  ['', 'it failed'],
])('an error is shown as %j is', (message, shown) => {
  expect(formatError(new Error(message))).toBe(shown);
});
