import { METHODOLOGIES } from '../score/methodologies.ts';

/**
 * SHA-256, in hexadecimal, of the arithmetic of each version of the methodology as one file:
 * `methodology/<version>.mjs` in this package. The files never change.
 */
export const METHODOLOGY_MODULES: Readonly<Record<string, string>> = /* @__PURE__ */ Object.fromEntries(
  METHODOLOGIES.map(({ version, sha256 }) => [version, sha256]),
);
