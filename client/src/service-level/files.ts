/**
 * A folder with probers' results and the record's entries about them:
 *
 * - `results/<prober>/<YYYY-MM-DD>.ndjson`: what a prober signed, from the service or from the prober's own host
 * - `days/<YYYY-MM-DD>.proof`: that the log has the entry of the day; `days/<YYYY-MM-DD>.json`: the entry, to read
 * - `months/<YYYY-MM>.proof` and `.json`: the same of the month's final figures
 */
export interface MonthFiles {
  /** Returns the paths of all files. */
  readonly list: () => Promise<readonly string[]>;
  /** Returns the text of a file; undefined if there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Something that does not fit. */
export interface MonthProblem {
  readonly prober?: string;
  /** `YYYY-MM-DD` */
  readonly date?: string;
  /** The line of the prober's file, from 1. */
  readonly line?: number;
  /** The last of several lines with the same problem. */
  readonly lastLine?: number;
  readonly why: string;
}

/** Takes a problem down. */
export type Report = (problem: MonthProblem) => void;

/** The path of what a prober measured on a day. */
export const resultsPath = (prober: string, date: string): string => `results/${prober}/${date}.ndjson`;
