import { appealKind } from './appeals.ts';
import { complaintKind } from './complaints.ts';
import { disputeKind } from './disputes.ts';
import type { DeskKind } from './kind.ts';
import { replyKind } from './replies.ts';
import { reportKind } from './reports.ts';
import { reviewKind } from './reviews.ts';
import { warningKind } from './warnings.ts';

/** The kinds of cases of the desk. A new kind is one more entry. */
export const DESK_KINDS: readonly DeskKind[] = [
  reviewKind,
  reportKind,
  appealKind,
  complaintKind,
  warningKind,
  disputeKind,
  replyKind,
];
