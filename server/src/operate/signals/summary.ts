import type { CheckInputs } from '../../ledger/define-module.ts';
import type { Db } from '../../platform/mongo.ts';
import { readSignals } from './read.ts';
import { formatSummary, toSignalRows } from './signals.rule.ts';

/** Reads all signals, and resolves to their summary. */
export const summarizeSignals = async (db: Db, inputs: CheckInputs, now: Date) =>
  formatSummary(toSignalRows(await readSignals(db, inputs, now), now), now);
