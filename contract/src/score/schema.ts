import * as z from 'zod';
import { Extensible, Month, Timestamp } from '../primitives.ts';
import { CAP_CODES, COLORS, COMPONENT_KEYS } from './methodology.ts';

/** Traffic light of the value: green ≥ 70, yellow 40 to below 70, red below 40; gray: not rated. */
export const Color = Extensible(z.enum(COLORS)).meta({ id: 'Color' });
export type Color = z.infer<typeof Color>;

/** One part of a score: `contribution = weight × score`. `inputs` are the numbers its formula took. */
export const ScoreComponent = z
  .object({
    key: Extensible(z.enum(COMPONENT_KEYS)),
    weight: z.number().meta({ description: 'Share of the value, 0–1' }),
    score: z.number().meta({ description: '0–100' }),
    contribution: z.number().meta({ description: 'Points added to the value' }),
    inputs: z.record(z.string(), z.number()),
    explanation: z.string(),
  })
  .meta({ id: 'ScoreComponent' });

/** A limit in force on the value, whether or not it bites. */
export const ScoreCap = z
  .object({ code: Extensible(z.enum(CAP_CODES)), limit: z.number(), reason: z.string() })
  .meta({ id: 'ScoreCap' });

/** A broker's score with everything that led to it. Recompute it with `recomputeScore`. */
export const Score = z
  .object({
    value: z.number().nullable().meta({ description: '0–100, one decimal; null: not rated (color gray)' }),
    rawValue: z.number().meta({ description: 'Sum of the contributions, before caps and rounding' }),
    color: Color,
    methodologyVersion: z.string(),
    computedAt: Timestamp,
    confidence: z.object({
      level: Extensible(z.enum(['low', 'medium', 'high'])),
      effectiveReviews: z.number().meta({ description: '(Σw)²/Σw² over the age-weighted reviews' }),
      low: z.number().nullable().meta({ description: 'Value at the lower end of the rating’s 95 % interval' }),
      high: z.number().nullable().meta({ description: 'Value at its upper end' }),
    }),
    components: z.array(ScoreComponent),
    caps: z.array(ScoreCap),
  })
  .meta({ id: 'Score' });
export type Score = z.infer<typeof Score>;

/** Number of reviews by nearest star. */
export const StarDistribution = z
  .object({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() })
  .meta({ id: 'StarDistribution' });
export type StarDistribution = z.infer<typeof StarDistribution>;

/** The published reviews of one UTC month as sums of hundredths of stars, so that they add up exactly. */
export const RatingMonth = z
  .object({
    month: Month,
    count: z.int().meta({ description: 'Published reviews' }),
    sum: z.int().meta({ description: 'Σ rating, in hundredths of a star' }),
    sumOfSquares: z.int().meta({ description: 'Σ rating², in hundredths squared' }),
    distribution: StarDistribution,
  })
  .meta({ id: 'RatingMonth' });
export type RatingMonth = z.infer<typeof RatingMonth>;
