import type { ComplaintReceipt, ComplaintSubmission } from '@broker-transparency/contract';
import type * as z from 'zod';
import type { Db } from '../../platform/mongo.ts';
import type { ListPosition } from '../../platform/position.ts';
import { resolveCurrentSlug, resolveCurrentSlugs } from '../brokers/facts.ts';
import type { Ending } from './policy.rule.ts';
import { type ComplaintDuty, type ComplaintStep, findDuty, listSteps } from './progress.rule.ts';
import * as store from './store.ts';
import { receiptView } from './view.ts';

type Money = NonNullable<z.output<typeof ComplaintSubmission>['amountInDispute']>;

/** A complaint as the person who sent it sees it. */
export interface OwnComplaint extends ComplaintReceipt {
  readonly content: string;
  readonly amountInDispute: Money | undefined;
  readonly occurredAt: Date | undefined;
  readonly desiredResolution: string | undefined;
  /** The broker's answer. */
  readonly answer: string | undefined;
  /** Code of how it ended. */
  readonly ending: Ending | undefined;
  readonly steps: readonly ComplaintStep[];
  readonly duty: ComplaintDuty;
}

const toOwnComplaint = (complaint: store.ComplaintDocument, slug: string, now: Date): OwnComplaint => ({
  ...receiptView(complaint, slug),
  content: complaint.content,
  amountInDispute: complaint.amountInDispute,
  occurredAt: complaint.occurredAt,
  desiredResolution: complaint.desiredResolution,
  answer: complaint.answer,
  ending: complaint.ending,
  steps: listSteps(complaint),
  duty: findDuty(complaint, now),
});

/** Lists the complaints of an account, newest first, one more than `limit`. */
export const listOwnComplaints = async (
  db: Db,
  accountId: string,
  { limit, after, now }: { readonly limit: number; readonly after: ListPosition | undefined; readonly now: Date },
): Promise<OwnComplaint[]> => {
  const rows = await store.listByAccount(db, accountId, limit, after);
  const toCurrentSlug = await resolveCurrentSlugs(
    db,
    rows.map(({ broker }) => broker),
  );
  return rows.map((complaint) => toOwnComplaint(complaint, toCurrentSlug(complaint.broker), now));
};

/** Returns a complaint of an account; undefined if the account sent none with this reference. */
export const findOwnComplaint = async (
  db: Db,
  accountId: string,
  reference: string,
  now: Date,
): Promise<OwnComplaint | undefined> => {
  const found = await store.findComplaint(db, reference);
  if (found?.accountId !== accountId) return undefined;
  const complaint = found as store.ComplaintDocument;
  return toOwnComplaint(complaint, await resolveCurrentSlug(db, complaint.broker), now);
};
