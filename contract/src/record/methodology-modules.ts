/**
 * SHA-256, in hexadecimal, of the arithmetic of each version of the methodology as one file: `methodology/<version>.mjs`
 * in this package. The files never change.
 */
export const METHODOLOGY_MODULES: Readonly<Record<string, string>> = {
  '2026-1': '53076d6140e0acda5a9d7dcd27cf83c06369b1f1c5e09ad20467cc90ec014642',
  '2026-2': 'ef8593ae24e84c54f1e989229ac17c2e387a01bfe0465f1a230da85c9343588a',
  '2026-3': 'b17f6c58650f8070ac063dcf49885e346cb9f897d2aafcdab60f556fc7b45917',
};
