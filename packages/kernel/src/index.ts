/*
 * Contract, client and server share these rules: publications, and the service level with its arithmetic.
 * Nothing here needs a platform or a clock: hashing and signatures are arguments.
 */
export * from './enterprise-texts.ts';
export * from './publication.ts';
export * from './service-level/day.ts';
export * from './service-level/day-file.ts';
export * from './service-level/delivery.ts';
export * from './service-level/line.ts';
export * from './service-level/minutes.ts';
export * from './service-level/month.ts';
export * from './service-level/objectives.ts';
export * from './service-level/openslo.ts';
export * from './service-level/result.ts';
