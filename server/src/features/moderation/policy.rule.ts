/** Calendar months after a decision in which it can be appealed. */
export const APPEAL_MONTHS = 6;
/**
 * Calendar months for which a link in a mail shows its case, and for which a reporter's name and address are kept after
 * the decision.
 */
export const LINK_MONTHS = 6;
/** Reports without an account that are taken within an hour: for one network address, and for all together. */
export const OPEN_REPORTS = { ofAsker: 20, ofAll: 200, withinMs: 3_600_000 } as const;

/** Days before now of which published delays tell. */
export const DELAY_DAYS = 365;

/** Returns the same time some calendar months later, on the last day of a shorter month. */
export const addMonths = (at: Date, months: number): Date => {
  const later = new Date(at);
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== at.getUTCDate()) later.setUTCDate(0);
  return later;
};
