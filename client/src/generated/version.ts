// Made from the contract by `pnpm generate`. Do not edit.

/** Version of this package. */
export const VERSION = '0.1.0';
