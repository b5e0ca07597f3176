import type { Context } from '../../ledger/context.ts';
import type { LogCopy } from '../../ledger/log/copy.ts';
import { type RecoveredLog, recoverEntries } from '../../ledger/log/recover.ts';
import { nextNumber } from '../../ledger/record/read.ts';
import { keepLostDays } from './days.ts';

/**
 * Stores signed entries again that a restore lost, from a copy of the log. Returns the copy's checkpoint and the number
 * of restored entries; undefined without a copy. Can be repeated after an interruption.
 * @throws DomainError as `recoverEntries` does
 */
export const recoverRecord = async (
  context: Context,
  copy: LogCopy,
  origin: string,
): Promise<(RecoveredLog & { readonly count: number }) | undefined> => {
  const recovered = await recoverEntries(context.db, copy, origin, context.clock);
  if (recovered === undefined) return undefined;
  await keepLostDays(context);
  return { ...recovered, count: (await nextNumber(context.db)) - recovered.stored };
};
