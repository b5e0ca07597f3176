import type { Db } from '../../platform/mongo.ts';
import { findDay, findProber, readText } from './store.ts';

/** Lines of a prober and day; `gone` if they are no longer kept. */
export type Lines =
  | { readonly is: 'kept'; readonly text: string; readonly isSealed: boolean }
  | { readonly is: 'unknown' | 'gone' };

/** Returns the lines of a prober and day as they were delivered. */
export const readLines = async (db: Db, prober: string, date: string): Promise<Lines> => {
  if (!(await findProber(db, prober))) return { is: 'unknown' };
  const { lines, isSealed = false } = await findDay(db, date, prober);
  const text = await readText(db, date, prober);
  return text === '' && lines > 0 ? { is: 'gone' } : { is: 'kept', text, isSealed };
};
