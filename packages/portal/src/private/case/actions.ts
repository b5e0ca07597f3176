/** Lets people without an account report, read a statement of reasons and appeal. */
export type CaseActions = Readonly<Record<string, never>>;
