/*
 * The formats of transparency logs (c2sp.org) and the arithmetic of their trees (RFC 6962). Nothing here needs zod, a
 * platform or a clock: hashing and signatures are arguments.
 */
export { fromBase64, toBase64 } from './log/bytes.ts';
export { canonicalJson } from './log/canonical.ts';
export * from './log/checkpoint.ts';
export { type Cosignature, cosignatureText, formatCosignature, parseCosignature } from './log/cosignature.ts';
export * from './log/entry-extra.ts';
export * from './log/hash.ts';
export * from './log/note.ts';
export * from './log/policy.ts';
export * from './log/proof.ts';
export * from './log/publication.ts';
export * from './log/signatures.ts';
export * from './log/tiles.ts';
export * from './log/tree.ts';
export * from './log/verify.ts';
export * from './log/witness.ts';
