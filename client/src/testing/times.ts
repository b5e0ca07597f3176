export const DAY_MS = 86_400_000;

export const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS);

/** Formats a date as `YYYY-MM-DD`. */
export const calendarDate = (at: Date): string => at.toISOString().slice(0, 10);
