import { findDay, findProber, readText } from './store.ts';

/** Lines of a prober and day; `gone`: they are older than lines are kept. */
export type Lines =
  | { readonly is: 'kept'; readonly text: string; readonly isSealed: boolean }
  | { readonly is: 'unknown' | 'gone' };

/** Returns the lines of a prober and day as they were delivered. */
export const readLines = async (prober: string, date: string): Promise<Lines> => {
  if (!(await findProber(prober))) return { is: 'unknown' };
  const { lines, isSealed = false } = await findDay(date, prober);
  const text = await readText(date, prober);
  return text === '' && lines > 0 ? { is: 'gone' } : { is: 'kept', text, isSealed };
};
