/*
 * The formats of transparency logs (c2sp.org) and the arithmetic of their trees (RFC 6962). Nothing here needs zod, a
 * platform or a clock: hashing and signatures are arguments.
 */
export { fromBase64, toBase64 } from './bytes.ts';
export { canonicalJson } from './canonical.ts';
export * from './checkpoint.ts';
export { type Cosignature, cosignatureText, formatCosignature, parseCosignature } from './cosignature.ts';
export * from './entry-extra.ts';
export * from './hash.ts';
export * from './note.ts';
export * from './policy.ts';
export * from './proof.ts';
export * from './signatures.ts';
export * from './tiles.ts';
export * from './tree.ts';
export * from './verify.ts';
export * from './witness.ts';
