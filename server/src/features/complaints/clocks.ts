import { type Context, fixedAt, inTransaction, type TxContext } from '../../ledger/context.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { type DueSteps, FIRST_STEP_MS, findDueSteps } from './deadlines.rule.ts';
import * as store from './store.ts';
import { notifyState, remindBroker } from './tell.ts';
import { conclude } from './transitions.rule.ts';

/** Number of complaints that one transaction reads and writes. */
const BATCH = 100;

/** The changes of a run of the clocks. */
export interface ClockReport {
  readonly reminded: number;
  readonly unresolved: number;
  readonly overdue: number;
}

interface DueComplaint {
  readonly complaint: store.StoredComplaint;
  readonly steps: DueSteps;
}

const listDueComplaints = (complaints: readonly store.StoredComplaint[], at: Date): DueComplaint[] =>
  complaints
    .map((complaint) => ({ complaint, steps: findDueSteps(complaint, at) }))
    .filter(({ steps }) => steps.ends || steps.overdue || steps.remind !== undefined);

/** A reminder that goes to a contact of the broker counts as sent. */
const toChange = ({ complaint, steps }: DueComplaint, at: Date, isTold: boolean): store.ComplaintChange => ({
  reference: complaint._id,
  set: {
    ...(steps.ends ? conclude(complaint, 'no_answer', at).set : {}),
    ...(steps.overdue ? { overdueNotedAt: at } : {}),
    ...(steps.remind === undefined
      ? {}
      : {
          reminders: [
            ...(complaint.reminders ?? []),
            { day: steps.remind, recordedAt: at, ...(isTold ? { sentAt: at } : {}) },
          ],
        }),
  },
});

const auditSteps = (c: TxContext, { complaint, steps: { ends, overdue, remind } }: DueComplaint): void => {
  const subject = { kind: 'complaint', id: complaint._id } as const;
  if (ends)
    c.audit('complaint.unresolved', subject, {
      before: { status: complaint.status },
      after: { status: 'unresolved', ending: 'no_answer' },
      reason: 'final_date_passed',
    });
  if (overdue)
    c.audit('complaint.overdue', subject, {
      before: { overdue: false },
      after: { overdue: true },
      reason: 'due_date_passed',
    });
  if (remind !== undefined)
    c.audit('complaint.reminded', subject, {
      before: { day: complaint.reminders?.at(-1)?.day ?? null },
      after: { day: remind },
      reason: 'broker_silent',
    });
};

/**
 * Advances one batch. The steps are computed again inside the transaction, because another process may have taken them.
 */
const advanceBatch = async (c: TxContext, references: readonly string[]): Promise<ClockReport> => {
  const due = listDueComplaints(await store.findComplaints(references, c.tx), c.now);
  const changed = due.filter(({ steps }) => steps.ends || steps.overdue);
  const changes: store.ComplaintChange[] = [];
  for (const each of due) {
    const isTold = each.steps.remind !== undefined && (await remindBroker(c, each.complaint)) > 0;
    const change = toChange(each, c.now, isTold);
    changes.push(change);
    if (each.steps.ends) await notifyState(c, { ...each.complaint, ...change.set });
  }
  await store.changeComplaints(changes, c.tx);
  await markBrokersDirty(c, [...new Set(changed.map(({ complaint }) => complaint.broker))]);
  for (const each of due) auditSteps(c, each);
  return {
    reminded: due.filter(({ steps }) => steps.remind !== undefined).length,
    unresolved: due.filter(({ steps }) => steps.ends).length,
    overdue: due.filter(({ steps }) => steps.overdue).length,
  };
};

/**
 * Takes all due steps: records reminders and overdue answers, and ends complaints after their final date. Idempotent,
 * even if several processes run it at once.
 */
export const advanceComplaintClocks = async (context: Context, signal?: AbortSignal): Promise<ClockReport> => {
  const at = context.clock();
  const before = new Date(at.getTime() - FIRST_STEP_MS);
  let report: ClockReport = { reminded: 0, unresolved: 0, overdue: 0 };
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const page = await store.listNextForwarded(context.db, after, before, BATCH);
    const last = page.at(-1);
    if (last === undefined) return report;
    const due = listDueComplaints(page, at).map(({ complaint }) => complaint._id);
    if (due.length > 0) {
      const done = await inTransaction(fixedAt(context, at), (c) => advanceBatch(c, due));
      report = {
        reminded: report.reminded + done.reminded,
        unresolved: report.unresolved + done.unresolved,
        overdue: report.overdue + done.overdue,
      };
    }
    after = last._id;
  }
};
