import { type ContestedFact, formatValue } from './statement.rule.ts';

/** Returns the two sides of an audit entry about a contested fact: the published one, and the one of the source. */
export const auditedContest = (contested: readonly ContestedFact[]) => ({
  before: Object.fromEntries(contested.map(({ field, published }) => [field, formatValue(published.value)])),
  after: Object.fromEntries(contested.map(({ field, other }) => [field, formatValue(other.value)])),
});
