import { formatVerifierKey, isReached, parseNote } from '@broker-transparency/log';
import pLimit from 'p-limit';
import type { Clock } from '../../../platform/clock.ts';
import { createDeliveryEngine } from '../../../platform/delivery/engine.ts';
import { computeDelay } from '../../../platform/delivery/retry.rule.ts';
import type { Db } from '../../../platform/mongo.ts';
import type { Log } from '../../../platform/observe/log.ts';
import type { createWitnessFailureCount } from '../../../platform/observe/state.ts';
import * as log from '../store.ts';
import { askWitness, toCosignature } from './ask.ts';
import { addCosignatures, findCosigners } from './cosigned.ts';
import { isDue, isPlausible, WITNESS_RETRIES } from './due.rule.ts';
import type { Witness, Witnesses } from './policy.ts';
import * as store from './store.ts';

/**
 * Time in milliseconds for which the process that asks a witness excludes others. It covers two requests and database
 * access.
 */
const CLAIM_MS = 30_000;

const toWitnessId = (origin: string, { key }: Witness): string =>
  `${origin} ${formatVerifierKey(key).split('+', 2).join('+')}`;

/** Dependencies of asking witnesses. */
export interface WitnessParts {
  readonly origin: string;
  readonly witnesses: Witnesses;
  readonly clock: Clock;
  readonly lines: Log;
  readonly countFailure: ReturnType<typeof createWitnessFailureCount>;
}

/** Stores a checkpoint that enough witnesses have signed. */
const recordWitnessed = async (
  db: Db,
  { witnesses, clock }: WitnessParts,
  checkpoint: log.StoredCheckpoint,
): Promise<void> => {
  const cosigners = await findCosigners(db, checkpoint);
  if (!isReached(witnesses.quorum, new Set(cosigners.map(({ name }) => name)))) return;
  const before = await log.readWitnessed(db);
  const { origin, size, signedAt } = checkpoint;
  const { text } = parseNote(checkpoint.text);
  const same = before?.text.startsWith(text) ? before : undefined;
  await log.saveWitnessed(db, {
    origin,
    size,
    signedAt,
    text: addCosignatures(checkpoint.text, cosigners),
    witnessedAt: same?.witnessedAt ?? clock(),
  });
};

/** Returns whether a larger checkpoint is published: another process may have asked for its signatures. */
const isOutdated = async (db: Db, { size }: log.StoredCheckpoint): Promise<boolean> =>
  ((await log.readCheckpoint(db))?.size ?? 0) > size;

const CONTRADICTS =
  'a witness has seen another history of the log than this database has: see Witnesses in docs/operating/record.md';

/** Stores and logs the reason why a witness has not signed. */
const recordFailure = async (
  db: Db,
  { clock, lines, countFailure }: WitnessParts,
  known: store.StoredWitness,
  failed: { readonly why: string; readonly contradicts: boolean },
): Promise<void> => {
  const { why, contradicts } = failed;
  const at = clock();
  const notBefore = new Date(at.getTime() + computeDelay(WITNESS_RETRIES, known.failures + 1, Math.random()));
  countFailure(known.name)();
  if (contradicts) lines.error({ witness: known.name, reason: why }, CONTRADICTS);
  else lines.warn({ witness: known.name, reason: why }, 'a witness did not sign the checkpoint; retrying');
  await store.saveFailure(db, known, { failure: why, contradicts, at, notBefore });
};

/** A witness that is asked about a checkpoint. */
interface WitnessRequest {
  readonly witness: Witness;
  readonly known: store.StoredWitness;
  readonly checkpoint: log.StoredCheckpoint;
}

/** Makes the function that asks a witness, and stores what it answers. */
const createRequest = (db: Db, asking: WitnessParts) => {
  const { clock } = asking;
  const inTurn = pLimit(1); // so that two simultaneous answers both count
  return async ({ witness, known, checkpoint }: WitnessRequest, signal: AbortSignal): Promise<void> => {
    const answer = await askWitness(db, witness, known.size, checkpoint, signal).catch(async (error: unknown) => {
      if (signal.aborted) await store.release(db, known, known.notBefore);
      throw error;
    });
    if (answer.is === 'cosigned' && !isPlausible(answer.signedAt, clock())) {
      const why = 'signs a time that is more than a day from ours: its clock is wrong, or the one here';
      await recordFailure(db, asking, known, { why, contradicts: false });
    } else if (answer.is === 'cosigned') {
      await store.saveCosignature(db, known, toCosignature(answer, checkpoint, clock()));
      await inTurn(() => recordWitnessed(db, asking, checkpoint));
    } else if (answer.is === 'contradiction' && (await isOutdated(db, checkpoint))) {
      await store.release(db, known, known.notBefore); // it has signed the checkpoint that is published now
    } else await recordFailure(db, asking, known, { why: answer.why, contradicts: answer.is === 'contradiction' });
  };
};

/**
 * Asks witnesses to sign the published checkpoint. Several processes may do so: only one at a time asks a given
 * witness.
 */
export const createWitnessClient = async (db: Db, asking: WitnessParts) => {
  const { origin, witnesses, clock, lines } = asking;
  const byId = new Map(witnesses.asked.map((witness) => [toWitnessId(origin, witness), witness]));
  await store.setWitnesses(
    db,
    origin,
    [...byId].map(([_id, { name }]) => ({ _id, name })),
  );
  let published: log.StoredCheckpoint | undefined;

  const claim = (known: store.StoredWitness): Promise<boolean> =>
    store.claim(db, known, new Date(clock().getTime() + CLAIM_MS));

  const engine = createDeliveryEngine<WitnessRequest>({
    takeDue: async function* (underWay) {
      const checkpoint = published;
      if (checkpoint?.origin !== origin) return;
      const { text } = parseNote(checkpoint.text);
      const busy = new Set([...underWay.keys()].map(({ known }) => known._id));
      for (const known of await store.findWitnesses(db, origin)) {
        const witness = byId.get(known._id);
        if (witness && !busy.has(known._id) && isDue(known, text, clock()) && (await claim(known)))
          yield { witness, known, checkpoint };
      }
    },
    deliver: createRequest(db, asking),
    onFault: (error, request) =>
      lines.error({ err: error, witness: request?.known.name }, 'a witness could not be asked'),
  });

  return {
    /** Starts to ask each witness whose signature is due, without waiting: a hanging witness delays nothing. */
    askDue: async (checkpoint: log.StoredCheckpoint | undefined): Promise<void> => {
      published = checkpoint;
      await engine.look();
    },
    /** Aborts running requests. */
    stop: async (): Promise<void> => {
      engine.abort();
      await engine.end();
    },
  };
};
