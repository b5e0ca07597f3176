/** Lets a broker's contact answer, and anybody dispute a fact. */
export type DisputeActions = Readonly<Record<string, never>>;
