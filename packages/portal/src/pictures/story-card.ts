import type { BrokerDetail } from '@broker-transparency/client';
import { computePoints, type ScoreHistory, type ScorePoint } from '../charts/score-history.ts';
import type { TextContext } from '../page.ts';
import { COLOR_FROM } from '../score/colors.ts';
import { SERVICE_NAME } from '../service.ts';
import { LANES } from '../story/lanes.ts';
import type { StoryItem } from '../story/story.rule.ts';
import { drawBrokerCard, LINE, readStatement, SOFT, TEXT, toBase, words } from './cards.ts';
import { ACCENT } from './mark.ts';
import { type Picture, SHARED, type Shape } from './picture.ts';

/** The part of the picture with the time axis. Names of rows stand left of it. */
const [BEGIN, END] = [250, 1120];
/** Top of the score, and the line on which the last row of events stands. */
const [TOP, LAST_ROW] = [236, 566];
/** Distance between rows of events, and the side of the mark of an event. */
const [ROW, MARK] = [34, 14];

const rectangle = (x: number, y: number, width: number, height: number, color: string): Shape => ({
  kind: 'rectangle',
  x: Math.round(x),
  y: Math.round(y),
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
  color,
});

const toX = (share: number): number => BEGIN + Math.min(1, Math.max(0, share)) * (END - BEGIN);

/** Draws the score in steps over lines at the limits of its colors, with nothing while there is none. */
const drawScore = ({ format }: TextContext, points: readonly ScorePoint[], bottom: number): Shape[] => {
  const toY = (score: number): number => bottom - (score / 100) * (bottom - TOP);
  return [
    ...[0, COLOR_FROM.yellow, COLOR_FROM.green, 100].flatMap((value) => [
      rectangle(BEGIN, toY(value), END - BEGIN, 2, LINE),
      words(format.number(value), toY(value) + 8, 22, { x: BEGIN - 56, width: 48, color: SOFT }),
    ]),
    ...points.flatMap(({ x, value }, at): Shape[] => {
      const next = points[at + 1];
      if (value === null || !next) return [];
      const steps = [rectangle(toX(x), toY(value) - 2, toX(next.x) - toX(x), 5, ACCENT)];
      if (next.value === null) return steps;
      const [high, low] = [Math.max(value, next.value), Math.min(value, next.value)];
      return [...steps, rectangle(toX(next.x) - 2, toY(high) - 2, 5, toY(low) - toY(high) + 5, ACCENT)];
    }),
  ];
};

/** Returns the rows of events that the story has, with the times of each. */
const listRows = (items: readonly StoryItem[]) =>
  LANES.map((kind) => {
    const some = items.filter(({ events }) => events.some((event) => event.kind === kind));
    return { kind, times: [...new Set(some.map(({ step }) => Date.parse(step.time)))] };
  }).filter(({ times }) => times.length > 0);

/** Draws rows of events up to the last line, with a mark at the time of each event. */
const drawRows = (
  { texts }: TextContext,
  rows: ReturnType<typeof listRows>,
  { from, to }: { readonly from: number; readonly to: number },
): Shape[] =>
  rows.flatMap(({ kind, times }, at): Shape[] => {
    const y = LAST_ROW - (rows.length - 1 - at) * ROW;
    return [
      words(texts.story.lanes[kind], y + 8, 24, { width: BEGIN - 96, color: TEXT }),
      rectangle(BEGIN, y - 1, END - BEGIN, 2, LINE),
      ...times.map((time) =>
        rectangle(toX((time - from) / Math.max(1, to - from)) - MARK / 2, y - MARK / 2, MARK, MARK, ACCENT),
      ),
    ];
  });

/** The story of a broker, as its history page tells it. */
interface ToldStory {
  readonly history: ScoreHistory;
  readonly items: readonly StoryItem[];
}

/**
 * Returns the picture of the story of a firm, beside links to its history. Its time ends with the last computation of the
 * score, so it changes once a day, or with the facts. Where the picture of the broker has no score, this one has none.
 */
export const drawStoryCard = (broker: BrokerDetail, { history, items }: ToldStory, context: TextContext): Picture => {
  const { texts, format } = context;
  const now = new Date(broker.updatedAt);
  const points = computePoints({ now }, history, broker);
  const [from, to] = [Date.parse(points[0]?.time ?? broker.updatedAt), now.getTime()];
  const { isRated } = readStatement(broker, context);
  const rows = listRows(items);
  if (!isRated && rows.length === 0) return drawBrokerCard(broker, context); // nothing has a place in time
  const said = texts.spread.said({ service: SERVICE_NAME, day: format.day(broker.updatedAt) });
  return {
    ...SHARED,
    shapes: [
      ...toBase(broker, context, { y: 160, size: 52, lines: 1, statementY: 208, statementSize: 34 }),
      ...(isRated ? drawScore(context, points, LAST_ROW - rows.length * ROW) : []),
      ...drawRows(context, rows, { from, to }),
      words(format.day(new Date(from).toISOString()), 612, 24, { x: BEGIN, width: 300, color: SOFT }),
      words(said, 612, 24, { x: 760, width: 400, color: SOFT }),
    ],
  };
};
