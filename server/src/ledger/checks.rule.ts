/** An hour and a day in milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Consecutive failures from which a feed, a register or a job counts as failing. */
export const FAILING = 3;

/** A reading of a check. */
export interface CheckReading {
  /** Number of things; that of the names if absent. */
  readonly count?: number;
  /** Time since which the oldest waits, or of the last time; null or absent if there is none. */
  readonly since?: Date | null | undefined;
  /** Names, such as slugs. */
  readonly named?: readonly string[];
}

/** The conditions of a level. Any one of them is enough. */
export interface CheckLimit {
  readonly atLeast?: number;
  readonly below?: number;
  readonly olderThan?: number;
  /** True if a reading without a time also counts. */
  readonly never?: true;
  /** A reading without a time also counts if `count`, the possible days, is more. */
  readonly neverForDays?: number;
}

/** The limits of a check, and the words about it. */
export interface CheckPolicy {
  /** Description of the counted or timed thing. */
  readonly what: string;
  /** The displayed value: `count`, `since` or both. */
  readonly shows: 'count' | 'age' | 'count and age' | 'percent';
  /** From here on somebody looks at it today. */
  readonly look: CheckLimit;
  /** From here on somebody does something now. */
  readonly act?: CheckLimit;
  /** The command or page with the remedy. */
  readonly help: string;
}
