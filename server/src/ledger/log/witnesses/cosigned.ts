import { parseNote } from '@broker-transparency/contract/log';
import type { Db } from '../../../platform/mongo.ts';
import type { StoredCheckpoint } from '../store.ts';
import { type Cosignature, findWitnesses, type StoredWitness } from './store.ts';

/** A witness that has signed a checkpoint, with its signature. */
export interface Cosigner extends StoredWitness {
  readonly cosignature: Cosignature;
}

/** Returns which witnesses have signed exactly this size and root, whatever they signed since. */
export const findCosigners = async (db: Db, { origin, text }: StoredCheckpoint): Promise<readonly Cosigner[]> => {
  const { text: body } = parseNote(text);
  return (await findWitnesses(db, origin)).flatMap((witness) => {
    const cosignature = witness.cosignatures.find((each) => each.text === body);
    return cosignature ? [{ ...witness, cosignature }] : [];
  });
};

/** Adds to a signed checkpoint the lines of witnesses. */
export const addCosignatures = (text: string, cosigners: readonly Cosigner[]): string =>
  text + cosigners.map(({ cosignature }) => `${cosignature.line}\n`).join('');

/** Returns a signed checkpoint with what witnesses have signed of it so far. */
export const cosignedCheckpoint = async (db: Db, checkpoint: StoredCheckpoint): Promise<string> =>
  addCosignatures(checkpoint.text, await findCosigners(db, checkpoint));
