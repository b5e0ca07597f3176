/* The numbers are those of 2026-1, which never change. Only the version is new. */
export * from '../2026-1/methodology.ts';

/**
 * Version of the rules. Any change of a number, formula or condition needs a new version. The type is `string`, so that
 * a new version breaks no caller's types.
 */
export const METHODOLOGY_VERSION: string = '2026-2';
