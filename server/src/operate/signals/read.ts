import type { CheckReading } from '../../ledger/checks.rule.ts';
import type { Check, CheckInputs } from '../../ledger/define-module.ts';
import { MODULES } from '../../modules.ts';
import type { Db } from '../../platform/mongo.ts';
import { compareChecks, type Signal, type SignalReading } from './signals.rule.ts';

/** Maximum names in a reading. */
const NAMED = 5;

/** Every check of the modules: those that people use most come first. */
export const CHECKS: readonly (readonly [name: string, check: Check])[] = MODULES.toReversed()
  .flatMap(({ checks = {} }) => Object.entries(checks))
  .sort(([, a], [, b]) => compareChecks(a, b));

const toSignalReading = ({ named = [], count = named.length, since = null }: CheckReading): SignalReading => ({
  count,
  since,
  named: named.slice(0, NAMED),
});

/** Reads every signal of this installation. */
export const readSignals = async (db: Db, inputs: CheckInputs, now: Date): Promise<Signal[]> => {
  const found = await Promise.all(
    CHECKS.map(async ([name, check]) => ({ name, check, reading: await check.read(db, inputs, now) })),
  );
  return found.flatMap(({ name, check, reading }) =>
    reading ? [{ ...check, name, reading: toSignalReading(reading) }] : [],
  );
};
