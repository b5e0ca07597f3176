export type { AnswerLevel } from './proven/answer-level.ts';
export { ContradictionError, type FieldDifference } from './proven/contradiction.ts';
export type { CheckpointStore } from './proven/growth.ts';
export { type AnswerProof, type Verifier, type VerifierOptions, verifier } from './proven/verifier.ts';
export type { VerifiedCheckpoint, Witnesses } from './verify/checkpoint.ts';
export { VerifyError, type VerifyErrorCode } from './verify/error.ts';
