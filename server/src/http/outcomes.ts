import type { IncomingMessage } from 'node:http';

/** What is left of a budget after a request, with the headers that say so. */
export interface Budget {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the short road has done for a request before it left it to the long way: it must not be done twice. */
interface Outcome {
  readonly budget: Budget;
  /** Why there is no answer. */
  readonly fault?: unknown;
}

const outcomes = new WeakMap<IncomingMessage, Outcome>();

export const keepOutcome = (req: IncomingMessage, outcome: Outcome): void => {
  outcomes.set(req, outcome);
};

export const outcomeOf = (req: IncomingMessage): Outcome | undefined => outcomes.get(req);
