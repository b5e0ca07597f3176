import * as z from 'zod';
import { Extensible, Text, Timestamp } from './primitives.ts';

/** Grounds of a restriction: the terms that every author accepts, or a law. */
export const GROUNDS = ['terms', 'law'] as const;

interface Reason {
  /** Public explanation of the reason. */
  readonly description: string;
  readonly ground: (typeof GROUNDS)[number];
  /** True if a decision with this reason must explain it in its own text. */
  readonly needsNote: boolean;
}

/**
 * The reasons for which a review may be rejected, removed or reported, by stable code. There are no others; a low
 * rating is never a reason.
 */
export const REASONS = {
  not_a_review: {
    description: 'It does not tell of a service that the author used or tried to use.',
    ground: 'terms',
    needsNote: false,
  },
  personal_data: {
    description:
      'It names or identifies a private person, or shows contact, account or payment data; the text of the decision says how.',
    ground: 'law',
    needsNote: true,
  },
  insult: {
    description: 'It insults or threatens people instead of criticising a service.',
    ground: 'terms',
    needsNote: false,
  },
  advertising: {
    description: 'It promotes a product, a service or a link, or was paid for.',
    ground: 'terms',
    needsNote: false,
  },
  off_topic: { description: 'It is about something else than this broker.', ground: 'terms', needsNote: false },
  duplicate: {
    description: 'It repeats another review in the same or nearly the same words.',
    ground: 'terms',
    needsNote: false,
  },
  unlawful: {
    description: 'Its publication breaks a law; the text of the decision names it.',
    ground: 'law',
    needsNote: true,
  },
  conflict_of_interest: {
    description: 'The author works for the broker or a competitor, or was rewarded for it.',
    ground: 'terms',
    needsNote: false,
  },
  other_with_text: {
    description: 'It breaks the terms in another way; the text of the decision says how.',
    ground: 'terms',
    needsNote: true,
  },
  merged: {
    description:
      'Its broker was merged into another one, of which the author has another review. It comes back if they are split.',
    ground: 'terms',
    needsNote: false,
  },
} as const satisfies Record<string, Reason>;

/** Code of one of the {@link REASONS}. */
export type ReasonCode = keyof typeof REASONS;
/** The codes of all {@link REASONS}. */
export const REASON_CODES = Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]];

/** Code of a reason that people give. `merged` is given by the service itself, when brokers are merged. */
export type GivenReasonCode = Exclude<ReasonCode, 'merged'>;
/** The codes of all reasons that people give. */
export const GIVEN_REASON_CODES = REASON_CODES.filter((code) => code !== 'merged') as [
  GivenReasonCode,
  ...GivenReasonCode[],
];

/**
 * Every decision about a review. `keep` means that a report about the review was not upheld. `withhold` takes it down
 * for some days, `restore` brings back what was withheld, or taken down by mistake.
 */
export const DECISIONS = ['publish', 'reject', 'remove', 'keep', 'withhold', 'restore'] as const;
/** One of {@link DECISIONS}. */
export type DecisionKind = (typeof DECISIONS)[number];

/** Every status of a report. */
export const REPORT_STATUSES = ['open', 'decided'] as const;
/** Outcomes of a report: the review was removed or kept, or its author withdrew it before the decision. */
export const REPORT_OUTCOMES = ['removed', 'kept', 'withdrawn'] as const;
/** Every status of an appeal. */
export const APPEAL_STATUSES = ['open', 'decided'] as const;
/**
 * Outcomes of an appeal: the decision was confirmed or reversed, the review was withdrawn before that, or the appeal
 * ended undecided because another decision about the review came first.
 */
export const APPEAL_OUTCOMES = ['confirmed', 'reversed', 'withdrawn', 'ended'] as const;
/** One of {@link REPORT_OUTCOMES}. */
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];
/** One of {@link APPEAL_OUTCOMES}. */
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number];

/** How a restriction came about: by a report, or by what the service saw itself. */
export const DECISION_ORIGINS = ['report', 'own_initiative'] as const;

/** Free text of a report, an appeal or a decision. */
export const ModerationText = Text(10, 2000);

/** The reasons for a decision (Regulation (EU) 2022/2065, article 17). */
export const StatementOfReasons = z
  .object({
    facts: z.string().meta({ description: 'What was found' }),
    reasonCode: Extensible(z.enum(REASON_CODES)).nullable().meta({ description: 'null where nothing was restricted' }),
    ground: Extensible(z.enum(GROUNDS))
      .nullable()
      .meta({ description: 'Terms or law; null where nothing was restricted' }),
    automatedMeans: z.boolean().meta({ description: 'Whether a machine took part in the decision' }),
    origin: Extensible(z.enum(DECISION_ORIGINS))
      .nullable()
      .meta({ description: 'By a report or not; null where nothing was restricted' }),
    scope: Extensible(z.enum(['everywhere']))
      .nullable()
      .meta({ description: 'Where the restriction applies; null where nothing was restricted' }),
    until: Timestamp.nullable().meta({ description: 'When the restriction ends; null if no end is set' }),
  })
  .meta({ id: 'StatementOfReasons' });
export type StatementOfReasons = z.infer<typeof StatementOfReasons>;

/** Opens the entry by which the public record is bound to a statement of reasons without its text. */
export const StatementOpening = z
  .object({
    key: z.string().meta({ description: 'Key of the entry in the record' }),
    salt: z
      .string()
      .meta({ description: '32 random bytes in base64; with them and the statement anybody can check it' }),
  })
  .meta({ id: 'StatementOpening' });
export type StatementOpening = z.infer<typeof StatementOpening>;

/** A moderator's decision. */
export const ModerationDecision = z
  .object({
    decision: Extensible(z.enum(DECISIONS)),
    statement: StatementOfReasons,
    decidedAt: Timestamp,
    appealUntil: Timestamp.nullable().meta({ description: 'Until when you can appeal; null where you cannot' }),
    opening: StatementOpening.nullable().meta({ description: 'null where the record has no entry for you to open' }),
  })
  .meta({ id: 'ModerationDecision' });
export type ModerationDecision = z.infer<typeof ModerationDecision>;

/** An appeal against a decision. A moderator who had no part in the decision decides it. */
export const ModerationAppeal = z
  .object({
    id: z.string(),
    status: Extensible(z.enum(APPEAL_STATUSES)),
    outcome: Extensible(z.enum(APPEAL_OUTCOMES)).nullable(),
    facts: z.string().nullable().meta({ description: 'Why it was decided so' }),
    createdAt: Timestamp,
    decidedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ModerationAppeal' });
export type ModerationAppeal = z.infer<typeof ModerationAppeal>;
