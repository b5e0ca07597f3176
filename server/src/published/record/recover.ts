import type { Context } from '../../platform/context.ts';
import { recoverEntries } from '../../platform/log/recover.ts';
import { nextNumber } from '../../platform/record/read.ts';
import { keepRecoveredDays } from './days.ts';

/**
 * Takes entries back that were signed and that a restore lost, from the copy of the log in a folder. Returns how many.
 * @throws DomainError as `recoverEntries` does
 */
export const recoverRecord = async (context: Context, folder: string): Promise<number> => {
  const first = await recoverEntries(folder, context.clock);
  if (first === undefined) return 0;
  await keepRecoveredDays(context, first);
  return (await nextNumber()) - first;
};
