import { referenceRegulators } from '../assets.ts';
import { findOtherProfile, hasProfiles } from '../features/brokers/facts.ts';
import { listRegulators, stateReference } from '../features/regulators/actions.ts';
import type { Context } from '../platform/context.ts';
import { refreshDirty } from '../published/refresh.ts';

/** How the regulators are after the bundled ones were loaded. */
export interface Seeded {
  /** Number of regulators that are as in the reference data. */
  readonly same: number;
  /** Codes of regulators that differ from the reference data, and stay as they are. */
  readonly kept: readonly string[];
}

/**
 * States the bundled regulators. What editors say of them stays published, unless `overwrite` is set, which takes it
 * back.
 */
export const seedRegulators = async (context: Context, overwrite: boolean): Promise<Seeded> => {
  const reference = referenceRegulators();
  const kept = await stateReference(context, reference, { overwrite });
  return { same: reference.length - kept.length, kept };
};

/** States the bundled regulators in a database that has none. */
export const seedEmpty = async (context: Context): Promise<void> => {
  if ((await listRegulators()).length === 0) await stateReference(context, referenceRegulators(), { isFirst: true });
};

/**
 * Protects real brokers from a demo, which prints the token of a verified person who could review them.
 * @throws Error if the database holds a broker that is not part of the demo set
 */
export const requireNoRealBrokers = async (): Promise<void> => {
  const [{ demoSlugs }, { FICTIONAL }] = await Promise.all([import('./demo/set.ts'), import('./demo/brokers.ts')]);
  const slug = await findOtherProfile(demoSlugs(), new RegExp(`^${FICTIONAL}`));
  if (slug === undefined) return;
  throw new Error(
    `--demo is refused: the broker "${slug}" is not of the demo set, and a demo prints the token of a ` +
      'verified person; ' +
      'start without --demo, or on another DATA_DIR or MONGODB_URL',
  );
};

/** Loads the fictional demo set. Returns false, and loads nothing, if the database already has brokers. */
export const seedDemo = async (context: Context, onProgress: (step: string) => void): Promise<boolean> => {
  if (await hasProfiles()) return false;
  const { loadDemo } = await import('./demo/load.ts'); // a production start never needs these large tables
  await loadDemo(context, referenceRegulators(), onProgress);
  await refreshDirty(context.clock);
  return true;
};
