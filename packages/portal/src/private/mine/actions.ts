/** Shows the signed-in person what is kept of them. */
export type MineActions = Readonly<Record<string, never>>;
