/* Constants of the methodology version in force. */
export * from './2026-3/methodology.ts';
