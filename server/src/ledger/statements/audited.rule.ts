import { type ContestedFact, formatValue } from './statement.rule.ts';

/** Returns the sides of an audit entry about what a source says and is not published: what is, and what it says. */
export const auditedContest = (contested: readonly ContestedFact[]) => ({
  before: Object.fromEntries(contested.map(({ field, published }) => [field, formatValue(published.value)])),
  after: Object.fromEntries(contested.map(({ field, other }) => [field, formatValue(other.value)])),
});
