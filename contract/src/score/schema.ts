import * as z from 'zod';
import { Extensible, Month, Timestamp } from '../primitives.ts';
import { CAP_CODES, COLORS, COMPONENT_KEYS, METHODOLOGY_VERSION } from './methodology.ts';

/** Traffic light of the value: green from 70, yellow from 40 to below 70, red below 40, gray if not rated. */
export const Color = Extensible(z.enum(COLORS)).meta({
  id: 'Color',
  description: 'Traffic light of a score: `green` from 70, `yellow` from 40, `red` below, `gray` not rated.',
});
export type Color = z.infer<typeof Color>;

/** One part of a score: `contribution = weight × score`. `inputs` are the numbers that its formula used. */
export const ScoreComponent = z
  .object({
    key: Extensible(z.enum(COMPONENT_KEYS)).describe('What is measured.'),
    weight: z.number().meta({ description: 'Share of the value, 0 to 1. All weights add up to 1.', examples: [0.4] }),
    score: z.number().describe('Points, 0 to 100, rounded to nine decimals.'),
    contribution: z.number().describe('Points added to the value: `weight` × `score`, rounded to nine decimals.'),
    inputs: z
      .record(z.string(), z.number())
      .meta({ description: 'The numbers that the formula took, by name.', examples: [{ met: 8, total: 10 }] }),
    explanation: z.string().describe('The same as an English sentence.'),
  })
  .meta({ id: 'ScoreComponent', description: 'One part of a score.' });

/** A limit on the value that is in force, whether or not it lowers the value. */
export const ScoreCap = z
  .object({
    code: Extensible(z.enum(CAP_CODES)).describe('Which cap it is.'),
    limit: z.number().describe('Highest value while it is in force, 0 to 100.'),
    reason: z.string().describe('Why it is in force, as an English sentence.'),
  })
  .meta({ id: 'ScoreCap', description: 'A limit in force on the value, whether or not the value would be above it.' });

/** Possible deviation of a score because reviews are few or disagree. */
export const ScoreConfidence = z
  .object({
    level: Extensible(z.enum(['low', 'medium', 'high'])).describe(
      'By effective reviews: `low` below 10, `medium` from 10, `high` from 50.',
    ),
    effectiveReviews: z
      .number()
      .describe('Number of reviews after old ones faded: (Σw)²/Σw² over their weights by age; 0 without reviews.'),
    low: z
      .number()
      .nullable()
      .describe('Value at the lower end of the rating’s 95 % interval, 0 to 100; null: not rated.'),
    high: z
      .number()
      .nullable()
      .describe('Value at the upper end of the rating’s 95 % interval, 0 to 100; null: not rated.'),
  })
  .meta({ id: 'ScoreConfidence', description: 'How sure a score is.' });

/** A broker's score with everything it is computed from. `recomputeScore` recomputes it. */
export const Score = z
  .object({
    value: z
      .number()
      .nullable()
      .meta({ description: '0 to 100 with one decimal, 100 is best; null: not rated (color gray).', examples: [81.9] }),
    rawValue: z.number().describe('Sum of the contributions, 0 to 100, before caps and rounding.'),
    color: Color.describe('Color of the value.'),
    methodologyVersion: z
      .string()
      .meta({ description: 'Version of the rules that it follows.', examples: [METHODOLOGY_VERSION] }),
    computedAt: Timestamp.describe('When it was computed. Ages are measured at this time.'),
    confidence: ScoreConfidence.describe('How far the value may move because reviews are few or disagree.'),
    components: z.array(ScoreComponent).describe('The parts of the value, in the order in which they are summed.'),
    caps: z.array(ScoreCap).describe('The limits in force on the value.'),
  })
  .meta({ id: 'Score', description: 'A broker’s score with everything that led to it.' });
export type Score = z.infer<typeof Score>;

/** Number of reviews by nearest whole star. */
export const StarDistribution = z
  .object({
    1: z.int().describe('Reviews of 1 to below 1.5 stars.'),
    2: z.int().describe('Reviews of 1.5 to below 2.5 stars.'),
    3: z.int().describe('Reviews of 2.5 to below 3.5 stars.'),
    4: z.int().describe('Reviews of 3.5 to below 4.5 stars.'),
    5: z.int().describe('Reviews of 4.5 to 5 stars.'),
  })
  .meta({ id: 'StarDistribution', description: 'Number of reviews by nearest star.' });
export type StarDistribution = z.infer<typeof StarDistribution>;

/** The published reviews of one UTC month as sums in hundredths of a star, so that they add up exactly. */
export const RatingMonth = z
  .object({
    month: Month.describe('Month in which they were submitted.'),
    count: z.int().describe('Number of published reviews.'),
    sum: z.int().meta({ description: 'Sum of their ratings, in hundredths of a star.', examples: [450] }),
    sumOfSquares: z
      .int()
      .meta({ description: 'Sum of their squared ratings, in hundredths of a star squared.', examples: [202500] }),
    distribution: StarDistribution.describe('The same reviews by nearest star.'),
  })
  .meta({ id: 'RatingMonth', description: 'The published reviews of one month as sums, so that they add up exactly.' });
export type RatingMonth = z.infer<typeof RatingMonth>;

/** The complaints of identity-verified people that count in one UTC month. */
export const ComplaintMonth = z
  .object({
    month: Month.describe('Month in which they were closed or, if they are overdue and not closed, became overdue.'),
    closed: z.int().meta({
      description: 'Number of complaints. An overdue one counts as closed, unresolved and late until it is closed.',
      examples: [3],
    }),
    resolved: z.int().meta({ description: 'How many of them were resolved.', examples: [2] }),
    timely: z.int().meta({ description: 'How many of them the broker answered within 15 days.', examples: [3] }),
  })
  .meta({ id: 'ComplaintMonth', description: 'The complaints of identity-verified people that count in one month.' });
export type ComplaintMonth = z.infer<typeof ComplaintMonth>;
