export { countLicenses, hasLicenseEnded } from './license-counts.ts';
export * from './record/entry.ts';
export { METHODOLOGY_MODULES } from './record/methodology-modules.ts';
export * from './record/rating.ts';
export * from './record/times.ts';
export { mayReply } from './replies.ts';
