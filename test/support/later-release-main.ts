/**
 * The bin of a later release, which has a second version of the methodology. `later-release-hooks.ts` has the
 * differences.
 */
import './later-release-hooks.ts';

// the host of commands evaluates the bin again for each command, so this file must do the same
await import(`../../server/src/main.ts${new URL(import.meta.url).search}`);
