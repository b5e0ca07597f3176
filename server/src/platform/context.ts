import type { Actor } from './audit/store.ts';
import type { Clock } from './clock.ts';

/** What every action is given: who acts, and the time. HTTP, command line and jobs differ in nothing else. */
export interface Context {
  readonly actor: Actor;
  readonly clock: Clock;
}

/** Why many things are written at once, and how they were before, as far as they were there. */
export interface BulkWrite<T> {
  /** For the audit trail. */
  readonly reason: string;
  readonly states: ReadonlyMap<string, T>;
}

/** Something cannot be taken away, because something else is about it. */
export class InUse extends Error {}
