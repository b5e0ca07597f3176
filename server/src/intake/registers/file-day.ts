import { toUnreadableError } from '../unreadable.ts';

/**
 * Returns the day that a file describes: the day in its name, or the day on which it was saved.
 * @throws DomainError unreadable_file if its name has another month than the day on which it was saved
 */
export const findFileDay = (name: string, savedAt: Date): Date => {
  const [, year, month, day] =
    /(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)/.exec(name) ?? [];
  if (day !== undefined) {
    const named = new Date(`${year}-${month}-${day}T00:00:00.000Z`);
    if (named.toISOString().startsWith(`${year}-${month}-${day}`)) return named;
  }
  const saved = savedAt.toISOString().slice(0, 10);
  if (month !== undefined && !saved.startsWith(`${year}-${month}`))
    throw toUnreadableError(`its name says ${year}-${month}, but it was saved on ${saved}: add --as-of`);
  return new Date(`${saved}T00:00:00.000Z`);
};
