const DAY = 86_400_000;

export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + Math.round(days * DAY));
export const daysBefore = (at: Date, days: number): Date => daysAfter(at, -days);
export const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
/** Returns the moment at the fraction `part` between two others. */
export const between = (from: Date, to: Date, part: number): Date =>
  new Date(from.getTime() + Math.floor((to.getTime() - from.getTime()) * part));
export const startOfUtcDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY) * DAY);
export const toCalendarDate = (at: Date): string => at.toISOString().slice(0, 10);
