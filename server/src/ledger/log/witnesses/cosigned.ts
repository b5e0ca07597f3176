import { parseNote } from '@broker-transparency/log';
import type { Db } from '../../../platform/mongo.ts';
import type { StoredCheckpoint } from '../store.ts';
import { type Cosignature, findWitnesses, type StoredWitness } from './store.ts';

/** A witness that has signed a checkpoint, with its signature. */
export interface Cosigner extends StoredWitness {
  readonly cosignature: Cosignature;
}

/** Returns the witnesses that have signed exactly this checkpoint, even if they have signed others since. */
export const findCosigners = async (db: Db, { origin, text }: StoredCheckpoint): Promise<readonly Cosigner[]> => {
  const { text: body } = parseNote(text);
  return (await findWitnesses(db, origin)).flatMap((witness) => {
    const cosignature = witness.cosignatures.find((each) => each.text === body);
    return cosignature ? [{ ...witness, cosignature }] : [];
  });
};

/** Adds the lines of witnesses to a signed checkpoint. */
export const addCosignatures = (text: string, cosigners: readonly Cosigner[]): string =>
  text + cosigners.map(({ cosignature }) => `${cosignature.line}\n`).join('');

/** Returns a signed checkpoint with its cosignatures so far. */
export const cosignedCheckpoint = async (db: Db, checkpoint: StoredCheckpoint): Promise<string> =>
  addCosignatures(checkpoint.text, await findCosigners(db, checkpoint));
