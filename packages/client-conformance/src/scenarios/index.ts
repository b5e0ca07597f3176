import { BODIES } from './bodies.ts';
import { CONNECTIONS } from './connections.ts';
import { ERRORS } from './errors.ts';
import { LISTS } from './lists.ts';
import { REDIRECTS } from './redirects.ts';
import type { Scenario } from './scenario.ts';

export type { Scenario };

/** Every scenario, in the order of the table in the documentation. */
export const SCENARIOS: readonly Scenario[] = [...CONNECTIONS, ...BODIES, ...ERRORS, ...REDIRECTS, ...LISTS];
