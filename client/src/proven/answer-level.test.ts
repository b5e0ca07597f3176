import { expect, test } from 'vitest';
import { type AnswerLevel, decideLevel, type FoundEvidence } from './answer-level.ts';

const SIGNED = [undefined, 'signed', 'witnessed'] as const;
const SCORES = [undefined, 'confirmed', 'unconfirmed', 'otherwise'] as const;

/** Every state of the evidence: of entries, of those without a checkpoint, of signatures and of the score. */
const STATES: FoundEvidence[] = [0, 3].flatMap((entries) =>
  [0, 2].flatMap((uncovered) =>
    SIGNED.flatMap((signed) => SCORES.map((score) => ({ entries, uncovered, signed, score }))),
  ),
);

/** The level by its definition, the least one first. */
const LEVELS: readonly [AnswerLevel, (state: FoundEvidence) => boolean][] = [
  ['unsigned', ({ entries, signed }) => entries === 0 || signed === undefined],
  ['pending', ({ uncovered }) => uncovered > 0],
  ['signed', ({ score }) => score === 'unconfirmed' || score === 'otherwise'],
  ['logged', ({ signed }) => signed === 'signed'],
  ['witnessed', () => true],
];

test.each(STATES)('$entries entries, $uncovered without a checkpoint, $signed, score $score: one level', (state) => {
  const [expected] = LEVELS.find(([, applies]) => applies(state)) ?? [];
  const { level, why } = decideLevel(state);
  expect(level).toBe(expected);
  expect(why === undefined, 'whoever gets less learns why').toBe(level === 'witnessed');
});

test.each<[AnswerLevel, FoundEvidence]>([
  ['unsigned', { entries: 0, uncovered: 0, signed: 'witnessed', score: undefined }],
  ['unsigned', { entries: 5, uncovered: 5, signed: undefined, score: 'confirmed' }],
  ['pending', { entries: 5, uncovered: 1, signed: 'witnessed', score: 'confirmed' }],
  ['signed', { entries: 5, uncovered: 0, signed: 'witnessed', score: 'unconfirmed' }],
  ['logged', { entries: 1, uncovered: 0, signed: 'signed', score: undefined }],
  ['witnessed', { entries: 1, uncovered: 0, signed: 'witnessed', score: undefined }],
])('an answer is %s', (level, state) => {
  expect(decideLevel(state).level).toBe(level);
});
