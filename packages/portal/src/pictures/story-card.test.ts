import { expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import type { StoryItem } from '../story/story.rule.ts';
import { drawStoryCard } from './story-card.ts';

type Broker = Parameters<typeof drawStoryCard>[0];

const AT = '2026-11-23T06:00:00.000Z';
const broker = {
  slug: 'alpha-markets',
  name: 'Alpha Markets',
  status: 'operating',
  warnings: [],
  color: 'green',
  score: { value: 81.9, color: 'green' },
  licenseCounts: { confirmed: 2, held: 2, claimed: 0 },
  bestTier: 1,
  website: 'https://alpha.test/',
  updatedAt: AT,
} as never as Broker;

const HISTORY = {
  since: '2026-01-01T00:00:00.000Z',
  data: [
    { time: '2026-01-01T00:00:00.000Z', value: null, color: 'gray' },
    { time: '2026-03-01T00:00:00.000Z', value: 60, color: 'yellow' },
    { time: '2026-06-01T00:00:00.000Z', value: 81.9, color: 'green' },
  ],
} as const;

const item = (time: string, ...kinds: string[]): StoryItem =>
  ({ step: { time }, events: kinds.map((kind) => ({ kind, keys: [] })), fall: undefined }) as never as StoryItem;

const ITEMS = [
  item('2026-01-01T00:00:00.000Z', 'start'),
  item('2026-03-01T00:00:00.000Z', 'licence', 'licence'),
  item('2026-06-01T00:00:00.000Z', 'licence', 'name'),
];

const draw = (more: object = {}, items: readonly StoryItem[] = ITEMS) => {
  const { shapes } = drawStoryCard({ ...broker, ...more } as Broker, { history: HISTORY, items }, LANGUAGES[0]);
  return {
    shapes,
    lines: shapes.flatMap((shape) => (shape.kind === 'words' ? [shape.text] : [])),
    /** Marks of events, as places on the time axis. */
    marks: shapes.flatMap((shape) => (shape.kind === 'rectangle' && shape.width === 14 ? [shape.x] : [])),
  };
};

test('the picture of a story has the statement, the scale of the score, and a row for each kind of event', () => {
  const { lines, marks } = draw();
  for (const line of [
    'Alpha Markets',
    'Score 81.9 of 100 · Good',
    '0',
    '40',
    '70',
    '100',
    'Licences',
    'Names',
    '1 Jan 2026',
  ])
    expect(lines).toContain(line);
  expect(lines).not.toContain('Warnings');
  expect(marks).toHaveLength(3);
  expect(marks[1]).toBe(marks[2]); // the licence and the name changed at the same time
});

test('every shape is inside the picture, also that of an event after the last computation', () => {
  const { shapes } = draw({}, [...ITEMS, item('2026-12-24T00:00:00.000Z', 'warning', 'domain', 'company')]);
  for (const shape of shapes)
    if (shape.kind === 'rectangle') {
      expect(shape.x).toBeGreaterThanOrEqual(0);
      expect(shape.x + shape.width).toBeLessThanOrEqual(1200);
      expect(shape.y + shape.height).toBeLessThanOrEqual(630);
    } else expect(shape.y).toBeLessThanOrEqual(620);
});

test.each<[string, object]>([
  ['a suspected clone', { status: 'suspected_clone' }],
  ['a warned broker', { warnings: [{ about: 'this_firm', source: 'A', publishedAt: AT }] }],
  ['a broker without a confirmed licence', { licenseCounts: { confirmed: 0, held: 1, claimed: 1 } }],
])('the story of %s has its events and no score', (_, more) => {
  const { lines, marks } = draw(more);
  expect(lines).not.toContain('100');
  expect(lines.join()).not.toContain('81.9');
  expect(marks).toHaveLength(3);
});

test('a story with neither score nor events is the picture of the broker', () => {
  const { lines } = draw({ status: 'suspected_clone' }, []);
  expect(lines).toContain('Suspected clone of another firm');
  expect(lines).not.toContain('1 Jan 2026');
});

test('the picture is the same until the score is computed again, and another one after that', () => {
  const [first, again] = [draw().shapes, draw().shapes];
  expect(again).toEqual(first);
  expect(draw({ updatedAt: '2026-11-24T06:00:00.000Z' }).shapes).not.toEqual(first);
});
