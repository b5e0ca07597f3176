import type { ProblemCode } from '@broker-transparency/contract';

/** The reason why something was not done. */
export interface Refusal {
  readonly code: ProblemCode;
  readonly detail: string;
  /** Faults in fields. */
  readonly faults: readonly { readonly code: string; readonly detail: string }[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
}

/** The result of an action, or the reason why it was not done. */
export type Outcome<T> = { readonly done: T } | { readonly refused: Refusal };
