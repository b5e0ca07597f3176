/**
 * The bin of a later release, which has a second version of the methodology. `later-release-hooks.ts` says how it differs
 * from this one.
 */
import './later-release-hooks.ts';

// the one that runs the command line often evaluates the bin again each time: so must this
await import(`../../server/src/main.ts${new URL(import.meta.url).search}`);
