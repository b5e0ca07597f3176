/** Reason codes of an erasure. */
export const ERASURE_REASONS = {
  requested: 'the person asked for it',
  legal_order: 'an authority ordered it',
  retention_ended: 'the data is not needed any more',
  fraud: 'the account was not a person’s, or not theirs',
} as const;
export type ErasureReason = keyof typeof ERASURE_REASONS;
