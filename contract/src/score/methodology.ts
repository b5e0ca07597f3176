/* Numbers of the methodology version in force. */
export * from './2026-1/methodology.ts';
