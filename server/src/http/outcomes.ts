import type { IncomingMessage } from 'node:http';
import type { Credential } from './access.ts';

/** What is left of a budget after a request, with the headers that say so. */
export interface Budget {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Who sends a request, as far as that is known, and what it cost them. */
export interface Caller {
  readonly credential: Credential;
  readonly budget: Budget;
  /** Of bad tokens from their address; undefined where no bad one came. */
  readonly badTokens: Budget | undefined;
}

/** What the fast path has done for a request before it left it to the Express pipeline: it must not be done twice. */
interface Outcome {
  readonly caller: Caller;
  /** Why there is no answer. */
  readonly fault?: unknown;
}

const outcomes = new WeakMap<IncomingMessage, Outcome>();

export const keepOutcome = (req: IncomingMessage, outcome: Outcome): void => {
  outcomes.set(req, outcome);
};

export const outcomeOf = (req: IncomingMessage): Outcome | undefined => outcomes.get(req);
