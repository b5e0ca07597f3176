import type { Context } from '../../platform/context.ts';
import { recoverEntries } from '../../platform/log/recover.ts';
import { nextNumber } from '../../platform/record/read.ts';
import { keepLostDays } from './days.ts';

/**
 * Takes entries back that were signed and that a restore lost, from the copy of the log in a folder. Returns how many;
 * undefined if there is no copy. Can be repeated if it was stopped.
 * @throws DomainError as `recoverEntries` does
 */
export const recoverRecord = async (context: Context, folder: string): Promise<number | undefined> => {
  const stored = await recoverEntries(context.db, folder, context.clock);
  if (stored === undefined) return undefined;
  await keepLostDays(context);
  return (await nextNumber(context.db)) - stored;
};
