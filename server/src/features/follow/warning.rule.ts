import * as z from 'zod';

/** The value of a warning in the record, as far as followers are told of it. */
const WarningValue = z.object({
  source: z.string(),
  url: z.string(),
  about: z.string(),
  withdrawnAt: z.string().optional(),
});
export type FollowedWarning = z.infer<typeof WarningValue>;

/** Returns the value of an entry about a warning; undefined if it has none. */
export const parseWarning = (value: string): FollowedWarning | undefined =>
  WarningValue.safeParse(JSON.parse(value)).data;

/** Whom a warning is about while it stands; undefined if it does not. */
const findMeaning = (warning: FollowedWarning | undefined): string | undefined =>
  warning && warning.withdrawnAt === undefined && warning.about !== 'not_this_firm' ? warning.about : undefined;

/** Returns true if a warning stands, about the firm or about somebody who imitates it. */
export const isStanding = (warning: FollowedWarning | undefined): boolean => findMeaning(warning) !== undefined;

/** Returns what followers are told when a warning changes: nothing while it means the same. */
export const decideTelling = (
  before: FollowedWarning | undefined,
  after: FollowedWarning | undefined,
): 'follow.warning' | 'follow.correction' | undefined => {
  const [then, now] = [findMeaning(before), findMeaning(after)];
  if (then === now) return undefined;
  return now === undefined || (then === 'this_firm' && now === 'clone_of_it') ? 'follow.correction' : 'follow.warning';
};
