/** Lets the signed-in operator decide. */
export type DeskActions = Readonly<Record<string, never>>;
