import { readTreeSize } from '../../ledger/log/covering.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, inReadOrder, type Tx } from '../../platform/mongo.ts';
import { listOrganisations } from '../organisations/actions.ts';
import { buildSnapshot } from './build.ts';
import { listManifests, removeSnapshot, removeUnfinished, type StoredManifest } from './folder.ts';
import { headAt, isContinued } from './history.ts';
import { renewTexts } from './texts.ts';

/** The folder of snapshots, and their maximum number. */
export interface SnapshotSettings {
  readonly dataDir: string;
  readonly snapshotsKept: number;
}

/** A run that can be stopped. */
interface SnapshotRun {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Options of making a snapshot. */
interface SnapshotMake extends SnapshotRun {
  /** True to rest between, so that others on the machine come first. */
  readonly isGentle: boolean;
}

/** Returns the snapshots of this record, the newest first. Removes those of a history that a restore undid. */
const pruneForeignSnapshots = async (dataDir: string, size: number, session: Tx): Promise<StoredManifest[]> => {
  const own: StoredManifest[] = [];
  for (const manifest of await listManifests(dataDir))
    if (await isContinued(manifest.tree, size, session)) own.push(manifest);
    else await removeSnapshot(dataDir, manifest.number);
  return own;
};

/**
 * Makes a snapshot of the current tree unless it exists, and removes surplus ones. Only one may run at a time in a data
 * folder. @throws DomainError state_conflict if nothing is recorded yet
 */
export const makeSnapshot = (db: Db, { dataDir, snapshotsKept }: SnapshotSettings, { clock, ...run }: SnapshotMake) =>
  inReadOrder(db, async (session): Promise<StoredManifest> => {
    await removeUnfinished(dataDir);
    const number = (await readTreeSize(db, session)) - 1;
    if (number < 0) throw new DomainError('state_conflict', 'The record is empty: a server has to run first.');
    const kept = await pruneForeignSnapshots(dataDir, number + 1, session);
    const [before] = kept;
    const isThere = before?.number === number;
    const made = isThere
      ? before
      : await buildSnapshot(db, { dataDir, number, before, builtAt: clock(), session, ...run });
    const all = isThere ? kept : [made, ...kept];
    for (const { number: old } of all.slice(snapshotsKept)) await removeSnapshot(dataDir, old);
    return made;
  });

/** Makes a snapshot if any organisation has access. */
export const makeDailySnapshot = async (db: Db, settings: SnapshotSettings, run: SnapshotRun): Promise<void> => {
  const now = run.clock();
  const organisations = await listOrganisations(db);
  const isWanted = organisations.some(({ agreement: { endsAt } }) => endsAt === undefined || endsAt > now);
  if (isWanted && (await readTreeSize(db)) > 0) await makeSnapshot(db, settings, { ...run, isGentle: true });
};

/** Removes texts that are no longer public from all snapshots. */
export const renewSnapshotTexts = (
  db: Db,
  { dataDir }: SnapshotSettings,
  { clock, signal }: SnapshotRun,
): Promise<void> =>
  inReadOrder(db, async (session) => {
    const size = await readTreeSize(db, session);
    const head = await headAt(size, session);
    for (const manifest of await pruneForeignSnapshots(dataDir, size, session))
      await renewTexts(manifest, { dataDir, head, at: clock(), signal, session });
  });
