/** Lets the signed-in person write. */
export type WritingActions = Readonly<Record<string, never>>;
