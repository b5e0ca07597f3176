import { COMPLAINT_LIMIT, type ComplaintStatus, type ComplaintSubmission } from '@broker-transparency/contract';
import type * as z from 'zod';
import type { Principal } from '../../http/auth/access.ts';
import { actorKey } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { countComplaint } from '../accounts/actions.ts';
import { findAccount, findSamePersonAccounts, findSubject } from '../accounts/facts.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { requireBroker, resolveCurrentSlug, withCurrentSlugs } from '../brokers/facts.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { saveVerifiedAddress } from '../notices/tell.ts';
import { requireAnotherPerson } from '../operators/authorise.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import { secondsUntilNext, windowStart } from './budget.rule.ts';
import { type Correction, correct } from './correction.rule.ts';
import { computeDueAt, computeFinalAt, isTimely } from './deadlines.rule.ts';
import { type ComplaintOutcome, MOST_EVIDENCE, type Rejection, type Withdrawal } from './policy.rule.ts';
import type { ComplaintEvidence } from './record.rule.ts';
import { newReference } from './reference.ts';
import { isFinal } from './status.rule.ts';
import * as store from './store.ts';
import { notifyState } from './tell.ts';
import {
  answer,
  type ComplaintAnswer,
  type ComplaintMove,
  conclude,
  forward,
  reject,
  screen,
  withdraw,
} from './transitions.rule.ts';

export type { ComplaintDocument, StoredComplaint } from './store.ts';

const toAuditSubject = (reference: string) => ({ kind: 'complaint', id: reference }) as const;

/** @throws DomainError rate_limited if the account has used its daily budget */
const requireDailyBudget = async (c: TxContext, accountId: string, most: number): Promise<void> => {
  await countComplaint(c, accountId);
  const sent = await store.findSentTimes(accountId, windowStart(c.now), most, c.tx);
  const seconds = secondsUntilNext(sent, most, c.now);
  if (seconds > 0)
    throw new DomainError(
      'rate_limited',
      `An account can send ${most} complaints within ${COMPLAINT_LIMIT.hours} hours.`,
      { retryAfter: seconds },
    );
};

/**
 * Stores a new complaint, in the caller's transaction. Its `broker` is a broker's key.
 * @param most number of complaints that an account may send within 24 hours
 * @throws DomainError rate_limited
 */
export const submitComplaint = async (
  c: TxContext,
  author: Principal,
  { occurredAt, ...submission }: z.output<typeof ComplaintSubmission>,
  most: number,
): Promise<store.ComplaintDocument> => {
  const { accountId, kycVerified } = author;
  await requireDailyBudget(c, accountId, most);
  const complaint: store.ComplaintDocument = {
    _id: newReference(),
    ...submission,
    ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
    accountId,
    kycVerified,
    status: 'received',
    createdAt: c.now,
  };
  await store.insertComplaints([complaint], c.tx);
  await markBrokersDirty(c, [submission.broker]);
  const after = { status: complaint.status, category: complaint.category };
  c.audit('complaint.submitted', toAuditSubject(complaint._id), { before: null, after, reason: 'submitted' });
  await saveVerifiedAddress(c, author);
  await notifyState(c, complaint);
  return complaint;
};

/** Filter of a list of complaints. */
export interface ComplaintFilter {
  readonly status?: ComplaintStatus | undefined;
  /** Slug of a broker. */
  readonly broker?: string | undefined;
  /** Subject or id of an account: complaints of all accounts of this person are listed. */
  readonly author?: string | undefined;
}

/** @throws DomainError not_found */
const findAuthorAccounts = async (db: Db, author: string): Promise<string[]> => {
  const account = (await findSubject(db, author)) ?? (await findAccount(db, author));
  if (!account) throw new DomainError('not_found', `No account has the subject or id "${author}". See: account list`);
  return (await findSamePersonAccounts(db, account)).map(({ _id }) => _id);
};

/**
 * Lists complaints, oldest first, with the current slugs of their brokers, and counts all that match.
 * @throws DomainError broker_not_found, not_found
 */
export const listComplaints = async (
  db: Db,
  { status, broker, author }: ComplaintFilter,
  limit: number,
): Promise<{ rows: store.StoredComplaint[]; total: number }> => {
  const brokers = broker === undefined ? undefined : (await requireBroker(db, broker)).keys;
  const accountIds = author === undefined ? undefined : await findAuthorAccounts(db, author);
  const { rows, total } = await store.listComplaints(db, { status, brokers, accountIds }, limit);
  return { rows: await withCurrentSlugs(db, rows), total };
};

/** Lists complaints of the person of an account, oldest first; of the account alone if nothing is known of it any more. */
export const listComplaintsOfPerson = async (
  db: Db,
  accountId: string,
  limit: number,
): Promise<store.StoredComplaint[]> => {
  const account = await findAccount(db, accountId);
  const accounts = account ? await findSamePersonAccounts(db, account) : [{ _id: accountId }];
  const accountIds = accounts.map(({ _id }) => _id);
  const { rows } = await store.listComplaints(db, { status: undefined, brokers: undefined, accountIds }, limit);
  return withCurrentSlugs(db, rows);
};

const requireComplaint = async (db: Db, reference: string, tx?: Tx): Promise<store.StoredComplaint> => {
  const complaint = await store.findComplaint(db, reference, tx);
  if (!complaint)
    throw new DomainError('not_found', `No complaint has the reference "${reference}". See: complaint list`);
  return complaint;
};

/** Returns a complaint with its private fields and its deadlines. @throws DomainError not_found */
export const showComplaint = async (db: Db, reference: string) => {
  const complaint = await requireComplaint(db, reference);
  return {
    ...complaint,
    broker: await resolveCurrentSlug(db, complaint.broker),
    dueAt: computeDueAt(complaint),
    finalAt: computeFinalAt(complaint),
    timely: complaint.respondedAt && isTimely(complaint),
  };
};

/** States that record the broker's answer or the end. Whoever records one cannot correct it. */
const DECIDED: ReadonlySet<ComplaintStatus> = new Set(['responded', 'resolved', 'unresolved', 'rejected', 'withdrawn']);

/** Returns the people who recorded the result of a complaint, including the one who does so now. */
const addDecider = (c: TxContext, { decidedBy: before = [] }: store.StoredComplaint, status: ComplaintStatus) =>
  DECIDED.has(status) ? { decidedBy: [...new Set([...before, actorKey(c.actor)])], decidedAt: c.now } : {};

/**
 * Returns a complaint that nobody else works on, and that is not the operator's own.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError not_found, state_conflict
 */
const requireHandled = async (c: TxContext, reference: string): Promise<store.StoredComplaint> => {
  const complaint = await requireComplaint(c.db, reference, c.tx);
  await requireUnclaimedCase(c, 'complaint', reference);
  const { accountId, broker } = complaint;
  await requireNotOwn(c, { what: `complaint ${reference}`, accounts: [accountId], brokers: [broker] });
  return complaint;
};

/** Refuses somebody who may not act on a complaint, in the transaction that changes it. */
type ComplaintCheck = (c: TxContext, complaint: store.StoredComplaint) => Promise<void>;

/**
 * Applies a rule to a complaint and saves the result with its audit entry and dirty mark in one transaction.
 * @throws DomainError if there is no such complaint or the rule refuses the move
 */
const moveComplaint = (
  context: Context,
  reference: string,
  rule: (complaint: store.StoredComplaint, at: Date) => ComplaintMove,
  check?: ComplaintCheck,
): Promise<store.StoredComplaint> =>
  inTransaction(context, async (c) => {
    const complaint = await requireHandled(c, reference);
    await check?.(c, complaint);
    const { set, reason, noted } = rule(complaint, c.now);
    await store.changeComplaints([{ reference, set: { ...set, ...addDecider(c, complaint, set.status) } }], c.tx);
    await markBrokersDirty(c, [complaint.broker]);
    const [before, after] = [{ status: complaint.status }, { status: set.status, ...noted }];
    c.audit(`complaint.${set.status}`, toAuditSubject(reference), { before, after, reason });
    const moved = { ...complaint, ...set };
    await notifyState(c, moved);
    return moved;
  });

/** Starts to screen a complaint. */
export const screenComplaint = (context: Context, reference: string) => moveComplaint(context, reference, screen);

/** Records that a complaint was sent to the broker at a time, by default now. That starts its clocks. */
export const forwardComplaint = (context: Context, reference: string, forwardedAt?: Date) =>
  moveComplaint(context, reference, (complaint, at) => forward(complaint, at, forwardedAt));

/** @param check as `ComplaintCheck`, for somebody who answers for the broker themselves */
export const answerComplaint = (context: Context, reference: string, given: ComplaintAnswer, check?: ComplaintCheck) =>
  moveComplaint(context, reference, (complaint, at) => answer(complaint, given, at), check);

/** Ends a complaint as resolved or unresolved, depending on the outcome. */
export const concludeComplaint = (context: Context, reference: string, outcome: ComplaintOutcome) =>
  moveComplaint(context, reference, (complaint, at) => conclude(complaint, outcome, at));

export const rejectComplaint = (context: Context, reference: string, rejection: Rejection) =>
  moveComplaint(context, reference, (complaint, at) => reject(complaint, rejection, at));

export const withdrawComplaint = (context: Context, reference: string, withdrawal: Withdrawal) =>
  moveComplaint(context, reference, (complaint, at) => withdraw(complaint, withdrawal, at));

/**
 * Corrects a wrongly recorded complaint. A second person has to do so, and the next counts of its broker are marked as
 * a correction in the record.
 * @throws DomainError not_found, state_conflict; NeedsAnother for whoever recorded what is corrected
 */
export const correctComplaint = (
  context: Context,
  reference: string,
  correction: Correction,
): Promise<store.StoredComplaint> =>
  inTransaction(context, async (c) => {
    const complaint = await requireHandled(c, reference);
    const { decidedBy: actors = [], decidedAt: at = c.now } = complaint;
    await requireAnotherPerson(c, actors, { at, what: 'the entry that is to be corrected' });
    const { set, unset, noted } = correct(complaint, correction, c.now);
    const by = { decidedBy: [...new Set([...actors, actorKey(c.actor)])], decidedAt: c.now };
    await store.changeComplaints([{ reference, set: { ...set, ...by }, unset }], c.tx);
    await markBrokersDirty(c, [complaint.broker]);
    const before = { status: complaint.status, ending: complaint.ending ?? null };
    const after = { status: set.status, ...noted };
    c.audit('complaint.corrected', toAuditSubject(reference), { before, after, reason: correction.code });
    const kept = Object.fromEntries(Object.entries(complaint).filter(([field]) => !unset.some((one) => one === field)));
    const corrected = { ...kept, ...set } as unknown as store.StoredComplaint;
    if (set.status !== complaint.status) await notifyState(c, corrected);
    return corrected;
  });

/** Adds a piece of evidence to an open complaint. Returns the number of pieces. @throws DomainError */
export const addEvidence = (context: Context, reference: string, evidence: ComplaintEvidence): Promise<number> =>
  inTransaction(context, async (c) => {
    const complaint = await requireHandled(c, reference);
    const given = complaint.evidence ?? [];
    if (isFinal(complaint.status) || complaint.erasedAt || given.length >= MOST_EVIDENCE)
      throw new DomainError(
        'state_conflict',
        `Complaint ${reference} takes no more evidence: it is ${complaint.erasedAt ? 'erased' : complaint.status} ` +
          `and has ${given.length} pieces.`,
      );
    await store.changeComplaints([{ reference, set: { evidence: [...given, { ...evidence, addedAt: c.now }] } }], c.tx);
    const [before, after] = [{ evidence: given.length }, { evidence: given.length + 1, kind: evidence.kind }];
    c.audit('complaint.evidence', toAuditSubject(reference), { before, after, reason: 'evidence_given' });
    return given.length + 1;
  });

/** Lists the reminders that the operator should send to brokers. */
export const listReminders = async (db: Db, limit: number) =>
  (await withCurrentSlugs(db, await store.findUnsent(db, limit))).flatMap((complaint) =>
    (complaint.reminders ?? [])
      .filter(({ sentAt }) => sentAt === undefined)
      .map(({ day, recordedAt }) => ({
        reference: complaint._id,
        broker: complaint.broker,
        day,
        recordedAt,
        forwardedAt: complaint.forwardedAt,
        dueAt: computeDueAt(complaint),
        finalAt: computeFinalAt(complaint),
      })),
  );

/** Records that the reminders of a complaint were sent. Returns the number that were unsent. @throws DomainError */
export const markRemindersSent = (context: Context, reference: string): Promise<number> =>
  inTransaction(context, async (c) => {
    const { reminders = [] } = await requireHandled(c, reference);
    const unsent = reminders.filter(({ sentAt }) => sentAt === undefined).length;
    if (unsent === 0) return 0;
    const sent = reminders.map((reminder) => ({ ...reminder, sentAt: reminder.sentAt ?? c.now }));
    await store.changeComplaints([{ reference, set: { reminders: sent } }], c.tx);
    const change = { before: { unsent }, after: { unsent: 0 }, reason: 'sent' };
    c.audit('complaint.reminders_sent', toAuditSubject(reference), change);
    return unsent;
  });

/** Loads many complaints, such as a demo set, in one transaction. */
export const loadComplaints = (context: Context, complaints: readonly store.ComplaintDocument[]): Promise<void> =>
  inTransaction(context, async (c) => {
    await store.insertComplaints(complaints, c.tx);
    await markBrokersDirty(c, [...new Set(complaints.map((complaint) => complaint.broker))]);
    const after = { count: complaints.length };
    c.audit('complaint.loaded', { kind: 'demo', id: 'complaints' }, { before: null, after, reason: 'demo' });
  });
