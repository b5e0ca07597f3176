import { referenceRegulators } from './assets.ts';
import { hasProfiles } from './brokers/facts.ts';
import type { Context } from './context.ts';
import { refreshDue } from './refresh.ts';
import { importRegulators, listRegulators } from './regulators/actions.ts';

/** Loads the regulators that come with the service, where there are none. */
export const seedRegulators = async (context: Context): Promise<void> => {
  if ((await listRegulators()).length === 0) await importRegulators(context, referenceRegulators(), 'seed');
};

/** Loads the fictional demo set into a database without brokers. False where there are some. */
export const seedDemo = async (context: Context, onProgress: (step: string) => void): Promise<boolean> => {
  if (await hasProfiles()) return false;
  const { loadDemo } = await import('./demo/load.ts'); // large tables that a production start never needs
  await loadDemo(context, referenceRegulators(), onProgress);
  await refreshDue(context.clock);
  return true;
};
