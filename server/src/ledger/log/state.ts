import { parseNote } from '@broker-transparency/log';
import type { Db } from '../../platform/mongo.ts';
import type { WitnessState } from '../../platform/observe/state.ts';
import { findEntries, nextNumber } from '../record/read.ts';
import { countPending } from '../record/sequencer.ts';
import { listRefusals } from './refusals.ts';
import { readCheckpoint, readHold, readTree, readWitnessed, type StoredCheckpoint } from './store.ts';
import { findWitnesses } from './witnesses/store.ts';

/**
 * Returns the signatures of each witness of the log, and the checkpoint that enough of them have signed; undefined
 * without witnesses.
 */
const describeWitnesses = async (db: Db, { origin, text }: StoredCheckpoint) => {
  const witnesses = await findWitnesses(db, origin);
  if (witnesses.length === 0) return undefined;
  const { text: body } = parseNote(text);
  const witnessed = await readWitnessed(db);
  return {
    /** Number of witnesses that have signed the published checkpoint. */
    cosigned: witnesses.filter(({ cosignatures }) => cosignatures.some((each) => each.text === body)).length,
    known: witnesses.length,
    /** The newest checkpoint that enough witnesses have signed. */
    witnessed: witnessed?.origin === origin ? { size: witnessed.size, since: witnessed.witnessedAt } : undefined,
    each: witnesses.map(({ name, cosignatures: [newest], failure, failedAt, failingSince, contradicts }) => ({
      name,
      cosigned: newest && { size: newest.size, at: newest.at, signedAt: newest.signedAt },
      failed: failedAt ? { why: failure, at: failedAt, since: failingSince, contradicts } : undefined,
    })),
  };
};

/** Returns the state of each witness of the published checkpoint. */
export const listWitnessStates = async (db: Db): Promise<WitnessState[]> => {
  const checkpoint = await readCheckpoint(db);
  const witnesses = checkpoint ? await findWitnesses(db, checkpoint.origin) : [];
  return witnesses.map(({ name, cosignatures: [newest], failingSince, contradicts }) => ({
    name,
    cosignedAt: newest?.at ?? null,
    failingSince,
    contradicts,
  }));
};

/** Returns the progress of the record, its log and the published checkpoint, and the processes that do not sign. */
export const readLogState = async (db: Db, now: Date) => {
  const checkpoint = await readCheckpoint(db);
  return {
    entries: await nextNumber(db),
    waiting: await countPending(db),
    logged: (await readTree(db, null))?.size ?? 0,
    checkpoint: checkpoint && {
      origin: checkpoint.origin,
      size: checkpoint.size,
      signedAt: checkpoint.signedAt,
      text: checkpoint.text,
    },
    witnesses: checkpoint && (await describeWitnesses(db, checkpoint)),
    hold: await readHold(db),
    refusals: (await listRefusals(db, now)).map(({ why, since }) => ({ why, since })),
  };
};

/** Returns the time at which the published checkpoint was signed; null before the first one. */
export const readSignedAt = async (db: Db): Promise<Date | null> => (await readCheckpoint(db))?.signedAt ?? null;

/** Returns the time of the first entry that no checkpoint covers, in the tree or not; null if all are covered. */
export const findUnsignedSince = async (db: Db): Promise<Date | null> => {
  const tree = await readTree(db, null);
  if (tree?.waitingSince) return tree.waitingSince;
  const [next] = await findEntries(db, { from: tree?.size ?? 0 }, 1);
  return next ? new Date(next.time) : null;
};
