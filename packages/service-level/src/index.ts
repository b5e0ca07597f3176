/*
 * The service level of a service, as others measure it: the signed lines of probers, the objectives, and the arithmetic
 * that makes figures of both. Nothing here needs a platform or a clock: hashing and signatures are arguments.
 */
export * from './day.ts';
export * from './day-file.ts';
export * from './delivery.ts';
export * from './line.ts';
export * from './minutes.ts';
export * from './month.ts';
export * from './objectives.ts';
export * from './result.ts';
