import { decideWarningChange, isWarningInForce, type WarningChange } from '@broker-transparency/contract/score';
import * as z from 'zod';

/** The value of a warning in the record, as far as followers are told of it. */
const WarningValue = z.object({
  source: z.string(),
  url: z.string(),
  about: z.string(),
  match: z.string().optional(),
  withdrawnAt: z.string().optional(),
  correctedAt: z.string().optional(),
});
export type FollowedWarning = z.infer<typeof WarningValue>;

/** Returns the value of an entry about a warning; undefined if it has none. */
export const parseWarning = (value: string): FollowedWarning | undefined =>
  WarningValue.safeParse(JSON.parse(value)).data;

const ENDINGS: ReadonlySet<WarningChange> = new Set(['corrected', 'withdrawn', 'removed']);

/** Returns what followers are told when a warning changes: nothing while it means the same. */
export const decideTelling = (
  before: FollowedWarning | undefined,
  after: FollowedWarning | undefined,
): 'follow.warning' | 'follow.correction' | undefined => {
  const change = decideWarningChange(before, after);
  if (change === 'new') return 'follow.warning';
  return ENDINGS.has(change) && isWarningInForce(before) ? 'follow.correction' : undefined;
};
