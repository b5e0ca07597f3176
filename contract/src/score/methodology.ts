/* Numbers and names of the version in force. */
export * from './2026-1/methodology.ts';
