import type { EventKind } from './events.rule.ts';

/** Kinds of events with a row of their own below the score. */
export const LANES = ['licence', 'warning', 'name', 'domain', 'company'] as const satisfies readonly EventKind[];
