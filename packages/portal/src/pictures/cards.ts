import type { BrokerDetail } from '@broker-transparency/client';
import type { TextContext } from '../page.ts';
import { groupNewestFirst, hasEnded, isClone, isEvidenceShown, isUnlicensed } from '../pages/broker/state.rule.ts';
import { isFictional } from '../parts/fictional.rule.ts';
import { licenseWords } from '../parts/license-words.ts';
import { ZONES } from '../parts/score-scale.ts';
import { SERVICE_NAME } from '../service.ts';
import { describeBadge } from '../spread/badge.ts';
import { cut } from '../spread/cut.ts';
import { ACCENT, MARK, MARK_SIZE } from './mark.ts';
import { type Picture, SHARED, type Shape, type TextShape } from './picture.ts';

/** Colors on paper, and those of ratings, as on the light pages. */
export const [TEXT, SOFT, LINE] = ['#16202b', '#4f5d6b', '#cdd6de'];
const [BACK, ALARM] = ['#ffffff', '#8f1d1d'];
const RATINGS = { green: '#1b7742', yellow: '#8a6100', red: '#b3261e', gray: '#5c6873' } as const;
/** Distance of words from the left edge, and their greatest width. */
const [LEFT, WIDTH] = [80, 1040];
/** Place of the words that say that a firm is invented. */
const STAMP = { x: 720, width: 400 };
/** Most letters of foreign text that are measured. */
const MOST_LETTERS = 160;

/** The facts of a broker on its picture. */
type CardBroker = Pick<
  BrokerDetail,
  'slug' | 'name' | 'status' | 'warnings' | 'color' | 'score' | 'licenseCounts' | 'bestTier' | 'updatedAt' | 'website'
>;

/** Returns foreign text in letters that fonts have as one. */
const cutName = (text: string): string => cut(text.normalize('NFC'), MOST_LETTERS);

export const words = (text: string, y: number, size: number, more: Partial<TextShape> = {}): TextShape => ({
  kind: 'words',
  text,
  x: LEFT,
  y,
  width: WIDTH,
  lines: 1,
  size,
  isBold: false,
  color: TEXT,
  ...more,
});

const path = (x: number, y: number, side: number, color: string): Shape => ({
  kind: 'path',
  path: MARK,
  x,
  y,
  scale: side / MARK_SIZE,
  color,
});

const band = (color: string): Shape[] => [
  { kind: 'rectangle', x: 0, y: 0, ...SHARED, color: BACK },
  { kind: 'rectangle', x: 0, y: 0, width: 24, height: SHARED.height, color },
];

/** The name of the service at the top. */
const sender: readonly Shape[] = [
  path(LEFT, 48, 48, ACCENT),
  words(SERVICE_NAME, 84, 32, { x: LEFT + 64, width: 560, isBold: true, color: ACCENT }),
];

/** The scale from 0 to 100 with the place of a score on it. */
const scale = (value: number, color: string): Shape[] => {
  const at = (points: number): number => LEFT + (points / 100) * WIDTH;
  return [
    ...ZONES.map(
      ([zone, from, to]): Shape => ({
        kind: 'rectangle',
        x: at(from) + 2,
        y: 506,
        width: at(to) - at(from) - 4,
        height: 14,
        color: zone === color ? RATINGS[zone] : LINE,
      }),
    ),
    {
      kind: 'rectangle',
      x: Math.min(at(100) - 10, Math.max(LEFT, at(value) - 5)),
      y: 496,
      width: 10,
      height: 34,
      color: TEXT,
    },
  ];
};

/**
 * Returns the sentence below the statement: the reason of an alarm, or the licences beside a score. No licence stands
 * beside an alarm, where it would read as praise.
 */
const describeDetail = (broker: CardBroker, context: TextContext): string => {
  const { broker: texts } = context.texts;
  if (isClone(broker)) return texts.alarm.cloneText;
  const { confirmed, unchecked } = groupNewestFirst(broker.warnings);
  const [warning] = [...confirmed, ...unchecked];
  if (warning) return `${warning.source}, ${context.format.day(warning.publishedAt)}`;
  if (hasEnded(broker)) return '';
  if (isUnlicensed(broker)) return texts.alarm.unlicensedText;
  const [licences = ''] = licenseWords(context, broker.licenseCounts);
  return broker.bestTier === null ? licences : `${licences}, ${texts.hero.bestTier({ tier: String(broker.bestTier) })}`;
};

/** Returns the statement of a broker's badge with its color, and whether its score may stand beside it. */
export const readStatement = (broker: CardBroker, context: TextContext) => {
  const { line, color } = describeBadge(broker, context);
  const isRated = isEvidenceShown(broker) && !isUnlicensed(broker) && broker.score.value !== null;
  return { line, color: RATINGS[isUnlicensed(broker) ? 'red' : color], isRated };
};

/** Places and sizes of the name and of the statement. */
interface CardHeading {
  readonly y: number;
  readonly size: number;
  readonly lines: number;
  readonly statementY: number;
  readonly statementSize: number;
}

/** Returns what each picture of a broker has: who says it, whether the firm is invented, its name and the statement. */
export const toBase = (broker: CardBroker, context: TextContext, heading: CardHeading): Shape[] => {
  const { line, color } = readStatement(broker, context);
  const { y, size, lines, statementY, statementSize } = heading;
  const stamp = words(context.texts.spread.fictional, 84, 28, { ...STAMP, color: ALARM, isBold: true });
  return [
    ...band(color),
    ...sender,
    ...(isFictional(broker) ? [stamp] : []),
    words(cutName(broker.name), y, size, { otherwise: broker.slug, lines, isBold: true }),
    words(line, statementY, statementSize, { isBold: true, color }),
  ];
};

/**
 * Returns the picture of a broker beside links to its page. The statement is that of its badge: an alarm comes before a
 * score.
 */
export const drawBrokerCard = (broker: CardBroker, context: TextContext): Picture => {
  const said = context.texts.spread;
  const { isRated } = readStatement(broker, context);
  const date = said.said({ service: SERVICE_NAME, day: context.format.day(broker.updatedAt) });
  return {
    ...SHARED,
    shapes: [
      ...toBase(broker, context, { y: 310, size: 76, lines: 2, statementY: 392, statementSize: 50 }),
      words(cutName(describeDetail(broker, context)), 452, 32, {
        lines: isRated ? 1 : 3,
        growsDown: true,
        color: SOFT,
        otherwise: '',
      }),
      ...(isRated ? scale(broker.score.value ?? 0, broker.color) : []),
      words(isRated ? `${date}. ${said.noAdvice}` : date, 588, 24, { color: SOFT }),
    ],
  };
};

/** Returns the picture of the site beside links to its other pages. */
export const drawSiteCard = ({ texts }: TextContext): Picture => ({
  ...SHARED,
  shapes: [
    ...band(ACCENT),
    path(LEFT, 64, 128, ACCENT),
    words(SERVICE_NAME, 150, 60, { x: LEFT + 160, width: WIDTH - 160, isBold: true, color: ACCENT }),
    words(texts.home.title, 400, 76, { lines: 2, isBold: true }),
    words(texts.home.lead, 540, 34, { lines: 2, color: SOFT }),
  ],
});
