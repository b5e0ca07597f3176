/** Replaced by suggestions as one types. */
export {};
