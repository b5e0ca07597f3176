import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { FIRST_STEP_MS, type Steps, stepsAt } from './deadlines.rule.ts';
import * as store from './store.ts';
import { conclude } from './transitions.rule.ts';

/** Complaints that are looked at together, and written in one transaction. */
const BATCH = 100;

/** What the clocks brought about. */
export interface ClockReport {
  readonly reminded: number;
  readonly unresolved: number;
  readonly overdue: number;
}

interface Stepping {
  readonly complaint: store.StoredComplaint;
  readonly steps: Steps;
}

const stepping = (complaints: readonly store.StoredComplaint[], at: Date): Stepping[] =>
  complaints
    .map((complaint) => ({ complaint, steps: stepsAt(complaint, at) }))
    .filter(({ steps }) => steps.ends || steps.overdue || steps.remind !== undefined);

const changeOf = ({ complaint, steps }: Stepping, at: Date): store.Change => ({
  reference: complaint._id,
  set: {
    ...(steps.ends ? conclude(complaint, 'no_answer', at).set : {}),
    ...(steps.overdue ? { overdueNotedAt: at } : {}),
    ...(steps.remind === undefined
      ? {}
      : { reminders: [...(complaint.reminders ?? []), { day: steps.remind, recordedAt: at }] }),
  },
});

const entriesOf = ({ complaint, steps: { ends, overdue, remind } }: Stepping): AuditEntry[] => {
  const entries: AuditEntry[] = [];
  const subject = { kind: 'complaint', id: complaint._id } as const;
  if (ends)
    entries.push({
      action: 'complaint.unresolved',
      subject,
      before: { status: complaint.status },
      after: { status: 'unresolved', ending: 'no_answer' },
      reason: 'final_date_passed',
    });
  if (overdue)
    entries.push({
      action: 'complaint.overdue',
      subject,
      before: { overdue: false },
      after: { overdue: true },
      reason: 'due_date_passed',
    });
  if (remind !== undefined)
    entries.push({
      action: 'complaint.reminded',
      subject,
      before: { day: complaint.reminders?.at(-1)?.day ?? null },
      after: { day: remind },
      reason: 'broker_silent',
    });
  return entries;
};

/** What is due is found again inside the transaction: another process may have been here first. */
const advanceBatch = async (
  { actor }: Context,
  references: readonly string[],
  at: Date,
  tx: Tx,
): Promise<ClockReport> => {
  const due = stepping(await store.findComplaints(references, tx), at);
  const changed = due.filter(({ steps }) => steps.ends || steps.overdue);
  await store.changeComplaints(
    due.map((each) => changeOf(each, at)),
    tx,
  );
  await brokersChanged([...new Set(changed.map(({ complaint }) => complaint.broker))], tx);
  await recordAll(actor, at, due.flatMap(entriesOf), tx);
  return {
    reminded: due.filter(({ steps }) => steps.remind !== undefined).length,
    unresolved: due.filter(({ steps }) => steps.ends).length,
    overdue: due.filter(({ steps }) => steps.overdue).length,
  };
};

/**
 * Does what time has brought about: notes reminders and overdue answers, ends complaints whose final date passed. Run
 * again it does nothing twice, also in several processes at once.
 */
export const advanceComplaintClocks = async (context: Context, signal?: AbortSignal): Promise<ClockReport> => {
  const at = context.clock();
  const before = new Date(at.getTime() - FIRST_STEP_MS);
  let report: ClockReport = { reminded: 0, unresolved: 0, overdue: 0 };
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const page = await store.nextForwarded(after, before, BATCH);
    const last = page.at(-1);
    if (last === undefined) return report;
    const due = stepping(page, at).map(({ complaint }) => complaint._id);
    if (due.length > 0) {
      const done = await transaction((tx) => advanceBatch(context, due, at, tx));
      report = {
        reminded: report.reminded + done.reminded,
        unresolved: report.unresolved + done.unresolved,
        overdue: report.overdue + done.overdue,
      };
    }
    after = last._id;
  }
};
