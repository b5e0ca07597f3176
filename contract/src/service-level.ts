/*
 * The service level: the objectives, probers' results, and the arithmetic that reproduces the figures.
 * Nothing here needs a platform or a clock: hashing and signatures are arguments.
 */
export * from './service-level/day.ts';
export * from './service-level/day-file.ts';
export * from './service-level/delivery.ts';
export * from './service-level/line.ts';
export * from './service-level/minutes.ts';
export * from './service-level/month.ts';
export * from './service-level/objectives.ts';
export * from './service-level/openslo.ts';
export * from './service-level/result.ts';
