/*
 * The formats of transparency logs (c2sp.org) and the arithmetic of their trees (RFC 6962). Nothing here needs zod, a
 * platform or a clock: hashing and signatures are arguments.
 */
export * from '@broker-transparency/log';
export * from './publication.ts';
