export { type VerifiedCheckpoint, verifyCheckpoint, type Witnesses } from './verify/checkpoint.ts';
export { verifyConsistency } from './verify/consistency.ts';
export type { VerifiedScore } from './verify/day.ts';
export { VerifyError, type VerifyErrorCode } from './verify/error.ts';
export { type VerifiedProof, verifyProof } from './verify/proof.ts';
export { type VerifiedPublication, verifyPublication } from './verify/publication.ts';
export { type VerifiedReview, verifyReview } from './verify/review.ts';
