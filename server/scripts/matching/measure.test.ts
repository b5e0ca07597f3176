import { readFileSync } from 'node:fs';
import { POINTS } from '@broker-transparency/matching';
import { expect, test } from 'vitest';
import { createChangedPairs } from './changes.ts';
import { drawCurve } from './curve.ts';
import {
  computeFigures,
  computeFiguresAt,
  computePoints,
  computeWarningFigures,
  computeWilsonLower,
  decideAll,
  readPairs,
  SETS,
  selectRegisterPairs,
  withVictimsDomain,
} from './measure.ts';
import type { Pair } from './pair.ts';
import { createWorldPairs } from './world.ts';

const kept = { tuned: readPairs('tuned'), 'held-out': readPairs('held-out') };

test('the pairs that are kept are those that the generators make', () => {
  expect(kept.tuned).toEqual(JSON.parse(JSON.stringify(createChangedPairs(1_000))));
  expect(kept['held-out']).toEqual(JSON.parse(JSON.stringify(createWorldPairs(140))));
  expect(kept.tuned.length + kept['held-out'].length).toBeGreaterThanOrEqual(4_000);
});

test.each(SETS)('most of the %s pairs are decided without a person, and rightly', (set) => {
  const figures = computeFiguresAt(decideAll(selectRegisterPairs(kept[set])));
  expect(figures.pairs).toBeGreaterThanOrEqual(2_000);
  expect(figures.same).toBeGreaterThanOrEqual(900);
  expect(figures.precisionLower).toBeGreaterThanOrEqual(0.99);
  expect(figures.recallOfDecided).toBeGreaterThanOrEqual(0.95);
  expect(figures.recallOfAll).toBeGreaterThanOrEqual(0.95);
});

test('a register’s row of a clone is never decided to be its victim', () => {
  const clones = kept['held-out'].filter(({ same, warning }) => !same && warning);
  expect(computeFiguresAt(decideAll(clones))).toMatchObject({ pairs: clones.length, wrong: 0 });
});

const warnings = kept['held-out'].filter(({ warning }) => warning);
const clones = warnings.filter(({ same }) => !same);

test('a warning of a clone never counts at once for its victim, its own domain in it or not', () => {
  expect(clones.length).toBeGreaterThanOrEqual(100);
  for (const all of [clones, clones.map((one) => withVictimsDomain(one, false))])
    for (const licensed of [false, true])
      expect(computeWarningFigures(all, licensed)).toMatchObject({ victimsAtOnce: 0, clonesMissed: 0 });
});

test('a warning of a clone made another way never counts at once for its victim', () => {
  const made = kept.tuned.flatMap((pair): Pair[] => {
    const isClone = pair.kind === 'one letter changed' || pair.kind === 'same name, own domain';
    const authority = pair.known.numbers?.[0]?.register ?? '';
    return isClone ? [{ ...pair, warning: { authority, mentionsClone: false } }] : [];
  });
  expect(made.length).toBeGreaterThanOrEqual(300);
  for (const all of [made, made.map((one) => withVictimsDomain(one, false))])
    expect(computeWarningFigures(all, false)).toMatchObject({ victimsAtOnce: 0, clonesMissed: 0 });
});

test('a warning with only the victim’s data never counts at once, if the victim’s authority warns', () => {
  const own = clones
    .filter(({ known, warning }) => known.numbers?.some(({ register: regulator }) => regulator === warning?.authority))
    .map((one) => withVictimsDomain(one, true));
  expect(own.length).toBeGreaterThanOrEqual(50);
  expect(computeWarningFigures(own, true)).toMatchObject({ victimsAtOnce: 0, clonesMissed: 0 });
});

test('a warning about a firm itself is never missed, and counts at once by its LEI or number', () => {
  const { about, aboutAtOnce, aboutMissed } = computeWarningFigures(warnings, false);
  expect(aboutMissed).toBe(0);
  expect(aboutAtOnce / about).toBeGreaterThan(0.5);
});

test('figures are counted from verdicts', () => {
  const figures = computeFigures([
    { same: true, verdict: 'same' },
    { same: true, verdict: 'same' },
    { same: true, verdict: 'maybe' },
    { same: true, verdict: 'different' },
    { same: false, verdict: 'same' },
    { same: false, verdict: 'different' },
  ]);
  expect(figures).toMatchObject({ pairs: 6, same: 4, right: 2, wrong: 1, missed: 1, recallOfAll: 0.5, left: 1 / 6 });
  expect(figures.precision).toBeCloseTo(2 / 3);
  expect(figures.recallOfDecided).toBeCloseTo(2 / 3);
  expect(computeWilsonLower(380, 380)).toBeCloseTo(0.99, 3);
  expect(computeWilsonLower(0, 0)).toBe(0);
});

test('the page has the points, the figures and the curve as they are', () => {
  const page = readFileSync(new URL('../../../docs/matching.md', import.meta.url), 'utf8');
  for (const [field, relations] of Object.entries(POINTS))
    for (const [relation, points] of Object.entries(relations))
      expect(page).toContain(`\n| ${field} | ${relation} | ${points} |`);
  const sets = Object.fromEntries(SETS.map((set) => [`${set} pairs`, computePoints(set)]));
  for (const { same, figures } of sets['held-out pairs'] ?? [])
    expect(page).toMatch(
      new RegExp(`\\n\\| (\\*\\*)?${same}(\\*\\*)? \\| ${figures.right + figures.wrong} \\| ${figures.wrong} \\|`),
    );
  expect(readFileSync(new URL('../../../docs/matching.svg', import.meta.url), 'utf8')).toBe(drawCurve(sets));
});
