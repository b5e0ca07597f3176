import { hash } from 'node:crypto';
import { referenceRegulators } from '../assets.ts';
import { findOtherProfile } from '../features/brokers/facts.ts';
import { listRegulators, REFERENCE, type ReferenceOutcome, stateReference } from '../features/regulators/actions.ts';
import { formatRunReason, recordRun } from '../intake/imports/runs.ts';
import type { Context } from '../ledger/context.ts';
import type { Db } from '../platform/mongo.ts';

/** The state of the regulators after the bundled ones were loaded. */
export interface SeedReport extends ReferenceOutcome {
  /** Number of regulators equal to the reference data. */
  readonly same: number;
}

/** States the bundled regulators, in a run that can be undone. Editors' values stay published. */
export const seedRegulators = async (context: Context): Promise<SeedReport> => {
  const reference = referenceRegulators();
  const stated = await stateReference(context, reference, async (c) => {
    const { _id } = await recordRun(c, {
      what: 'regulators',
      fileName: 'reference data',
      sha256: hash('sha256', JSON.stringify(reference)),
      rows: reference.length,
      license: null,
      attribution: null,
      sourceUrl: null,
      source: REFERENCE.source,
    });
    return { reason: formatRunReason(_id), cause: 'fact', run: _id, batch: 1 };
  });
  return { ...stated, same: reference.length - stated.kept.length };
};

/** Reason in the audit trail for the bundled regulators of a new database. */
export const SEED_REASON = 'seed';

/** States the bundled regulators in a database that has none. The beginning of these facts is unknown. */
export const seedEmptyDatabase = async (context: Context): Promise<void> => {
  if ((await listRegulators(context.db)).length > 0) return;
  const first = { reason: SEED_REASON, cause: 'start', run: null, batch: null } as const;
  await stateReference(context, referenceRegulators(), async () => first);
};

/**
 * Protects real brokers from a demo, which prints the token of a verified person who could review them.
 * @throws Error if the database holds a broker that is not part of the demo set
 */
export const requireNoRealBrokers = async (db: Db): Promise<void> => {
  const [{ listDemoSlugs }, { FICTIONAL }, { STORY_SLUGS }] = await Promise.all([
    import('./demo/set.ts'),
    import('./demo/brokers.ts'),
    import('./demo/stories.ts'),
  ]);
  const slug = await findOtherProfile(db, [...listDemoSlugs(), ...STORY_SLUGS], new RegExp(`^${FICTIONAL}`));
  if (slug === undefined) return;
  throw new Error(
    `--demo is refused: the broker "${slug}" is not of the demo set, and a demo prints the token of a ` +
      'verified person; ' +
      'start without --demo, or on another DATA_DIR or MONGODB_URL',
  );
};
