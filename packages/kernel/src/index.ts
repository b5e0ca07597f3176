/*
 * Contract, client and server share these rules. Nothing here needs a platform or a clock: hashing and signatures are
 * arguments.
 */
export * from './enterprise-texts.ts';
export * from './publication.ts';
