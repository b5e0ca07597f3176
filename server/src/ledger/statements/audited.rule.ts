import { type Contested, textOf } from './statement.rule.ts';

/** Returns the sides of an audit entry about what a source says and is not published: what is, and what it says. */
export const auditedContest = (contested: readonly Contested[]) => ({
  before: Object.fromEntries(contested.map(({ field, published }) => [field, textOf(published.value)])),
  after: Object.fromEntries(contested.map(({ field, other }) => [field, textOf(other.value)])),
});
