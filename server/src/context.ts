import type { Actor } from './audit/store.ts';
import type { Clock } from './platform/clock.ts';

/** What every action is given: who acts, and the time. HTTP, command line and jobs differ in nothing else. */
export interface Context {
  readonly actor: Actor;
  readonly clock: Clock;
}

/** Something cannot be taken away, because something else is about it. */
export class InUse extends Error {}
