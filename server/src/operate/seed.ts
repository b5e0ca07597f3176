import { referenceRegulators } from '../assets.ts';
import { findOtherProfile, hasProfiles } from '../features/brokers/facts.ts';
import { importRegulators, listRegulators } from '../features/regulators/actions.ts';
import type { Context } from '../platform/context.ts';
import { refreshDirty } from '../published/refresh.ts';

/** Loads the bundled regulators if the database has none. */
export const seedRegulators = async (context: Context): Promise<void> => {
  if ((await listRegulators()).length === 0) await importRegulators(context, referenceRegulators(), 'seed');
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
