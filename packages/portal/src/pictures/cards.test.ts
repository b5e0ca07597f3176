import { expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { isFictional } from '../parts/fictional.rule.ts';
import { drawBrokerCard } from './cards.ts';

type CardBroker = Parameters<typeof drawBrokerCard>[0];

const broker = {
  slug: 'alpha-markets',
  name: 'Alpha Markets',
  status: 'operating',
  warnings: [],
  color: 'green',
  score: { value: 81.9 },
  licenseCounts: { confirmed: 2, held: 2, claimed: 0 },
  bestTier: 1,
  website: 'https://alpha.test/',
  updatedAt: '2026-11-23T06:00:00.000Z',
};

const readCard = (more: object) => {
  const { shapes } = drawBrokerCard({ ...broker, ...more } as never as CardBroker, LANGUAGES[0]);
  return {
    lines: shapes.flatMap((shape) => (shape.kind === 'words' ? [shape.text] : [])),
    color: shapes[1]?.color,
    hasScale: shapes.filter(({ kind }) => kind === 'rectangle').length > 2,
  };
};

const SCORE = 'Score 81.9 of 100 · Good';
const warning = { source: 'An authority', publishedAt: '2026-11-02T00:00:00Z' };

test.each<[string, object, string, string, boolean]>([
  ['a rated broker has its score, its licences and the scale', {}, SCORE, '#1b7742', true],
  [
    'a suspected clone has no score',
    { status: 'suspected_clone' },
    'Suspected clone of another firm',
    '#b3261e',
    false,
  ],
  [
    'a warned broker has the warning and no score',
    { warnings: [{ ...warning, about: 'this_firm' }] },
    'An authority warns of this firm',
    '#b3261e',
    false,
  ],
  [
    'a broker that others pose as keeps its score',
    { warnings: [{ ...warning, about: 'clone_of_it' }] },
    SCORE,
    '#1b7742',
    true,
  ],
  [
    'a broker without a confirmed licence has an alarm and no score',
    { licenseCounts: { confirmed: 0, held: 1, claimed: 1 }, color: 'gray' },
    'No licence is confirmed',
    '#b3261e',
    false,
  ],
  [
    'a broker that has ceased has no score',
    { status: 'ceased', score: { value: null } },
    'No longer in business',
    '#5c6873',
    false,
  ],
])('%s', (_, more, statement, color, hasScale) => {
  const card = readCard(more);
  expect(card.lines[2]).toBe(statement);
  expect({ color: card.color, hasScale: card.hasScale }).toEqual({ color, hasScale });
  expect(card.lines.some((line) => line.includes('licences confirmed'))).toBe(hasScale);
  expect(card.lines.some((line) => line.includes('81.9'))).toBe(hasScale);
});

test.each<[string, boolean]>([
  ['https://alpha.example/', true],
  ['https://alpha.example.com/', false],
  ['https://alpha-example/', false],
])('a firm at %s is an invented one: %s', (website, expected) => {
  expect(isFictional({ website })).toBe(expected);
  expect(readCard({ website }).lines.includes('Fictional firm (demo data)')).toBe(expected);
});
