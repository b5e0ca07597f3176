import { expect, test } from 'vitest';
import { formatSoakReport, type SoakResult } from './soak-report.ts';
import type { ResourceUsage } from './watch.ts';

const held = (over: Partial<ResourceUsage> = {}): ResourceUsage => ({
  heap: 50,
  resident: 150,
  files: 60,
  resources: 40,
  ...over,
});
const tenth = (of: (at: number) => Partial<ResourceUsage>): ResourceUsage[] =>
  Array.from({ length: 10 }, (_, at) => held(of(at)));

const soaked = (over: Partial<SoakResult>): SoakResult => ({
  seed: 1,
  seconds: 10,
  floods: [{ good: 1000, refused: 0, wrong: 0, worstMs: 5 }],
  held: tenth(() => ({})),
  made: ['x', 'x'],
  exchanges: [],
  unsettled: [],
  output: '',
  balance: { acknowledged: 3, lost: [], doubled: [] },
  ...over,
});

test.each<[string, Partial<SoakResult>, string[]]>([
  ['nothing', {}, []],
  ['memory that grows while it warms up', { held: tenth((at) => ({ heap: Math.min(80, 40 + 20 * at) })) }, []],
  ['memory that breathes', { held: tenth((at) => ({ heap: 50 + (at % 3) * 4 })) }, []],
  ['memory that goes on growing', { held: tenth((at) => ({ heap: 50 + 3 * at })) }, ['heap grew from 62 to 77']],
  ['files that are left open', { held: tenth((at) => ({ files: 60 + 20 * at })) }, ['files grew from 140 to 240']],
  ['listeners', { output: '(node:1) MaxListenersExceededWarning: Possible' }, ['listeners are left behind']],
  ['a late answer', { floods: [{ good: 1, refused: 0, wrong: 0, worstMs: 2100 }] }, ['an answer took 2.1 s']],
  [
    'a wrong answer',
    { floods: [{ good: 1, refused: 0, wrong: 2, worstMs: 5 }] },
    ['2 answers were neither 200 nor 503'],
  ],
  ['a write that is lost', { balance: { acknowledged: 1, lost: ['k'], doubled: [] } }, ['lost: k']],
  ['a write that is never acknowledged', { unsettled: ['k'] }, ['lost: k']],
])('reports the right broken promises for %s', (_, over, broken) => {
  const result = formatSoakReport(soaked(over));
  expect(result.broken).toEqual(broken);
  for (const line of broken) expect(result.text).toContain(`Not kept: ${line}`);
});
