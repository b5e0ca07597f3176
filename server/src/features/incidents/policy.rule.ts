/** Limits of the texts of an incident: characters of title and text, number of updates. */
export const BOUNDS = { title: 120, text: 2000, updates: 50 } as const;
/** Days for which an incident is on the page, after its end. */
export const SHOWN_DAYS = 90;
/** Days for which the results of probers are kept. No measurement can confirm an earlier beginning. */
export const OLDEST_DAYS = 400;
/** Days before and after the stated time in which outages are searched. */
export const LOOK_DAYS = 7;
