/** How much operators may write of an incident. */
export const BOUNDS = { title: 120, text: 2000, updates: 50 } as const;
/** Days for which an incident is on the page, after its end. */
export const SHOWN_DAYS = 90;
/** Days for which the results of probers are kept: what began before nobody can bear out. */
export const OLDEST_DAYS = 400;
/** Days beyond the stated time in which the beginning and the end of an outage are looked for. */
export const LOOK_DAYS = 7;
