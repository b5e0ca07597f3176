const DAY = 86_400_000;

export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + Math.round(days * DAY));
export const subtractDays = (at: Date, days: number): Date => addDays(at, -days);
export const pickEarlier = (a: Date, b: Date): Date => (a < b ? a : b);
/** Returns the moment at the fraction `part` between two others. */
export const interpolateDate = (from: Date, to: Date, part: number): Date =>
  new Date(from.getTime() + Math.floor((to.getTime() - from.getTime()) * part));
export const floorToUtcDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY) * DAY);
export const toCalendarDate = (at: Date): string => at.toISOString().slice(0, 10);
