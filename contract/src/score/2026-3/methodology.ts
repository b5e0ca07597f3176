import { CAPS as CAPS_BEFORE } from '../2026-2/methodology.ts';

/* What is not named here is that of 2026-2, which never changes. */
export * from '../2026-2/methodology.ts';

/**
 * Version of the rules. Any change of a number, formula or condition needs a new version. The type is `string`, so that
 * a new version breaks no caller's types.
 */
export const METHODOLOGY_VERSION: string = '2026-3';

/** The highest value that a broker can have while a condition holds. */
export const CAPS = {
  ...CAPS_BEFORE,
  uncheckedWarning: {
    limit: 19,
    reason:
      'A warning of a regulator was matched to this firm automatically by LEI or licence number, and nobody has ' +
      'checked it yet.',
  },
} as const;
export type CapCode = keyof typeof CAPS;
export const CAP_CODES = Object.keys(CAPS) as [CapCode, ...CapCode[]];
