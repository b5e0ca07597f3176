import type { Contested } from './statement.rule.ts';

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the sides of an audit entry about what a source says and is not published: what is, and what it says. */
export const auditedContest = (contested: readonly Contested[]) => ({
  before: Object.fromEntries(contested.map(({ field, published }) => [field, plain(published.value)])),
  after: Object.fromEntries(contested.map(({ field, other }) => [field, plain(other.value)])),
});
