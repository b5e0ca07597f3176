import { claimCase, listClaims, releaseCase } from '../../features/claims/actions.ts';
import {
  addEvidence,
  answerComplaint,
  concludeComplaint,
  correctComplaint,
  forwardComplaint,
  listComplaints,
  listComplaintsOfPerson,
  markRemindersSent,
  rejectComplaint,
  type StoredComplaint,
  screenComplaint,
  showComplaint,
  withdrawComplaint,
} from '../../features/complaints/actions.ts';
import type { Correction, CorrectionCode } from '../../features/complaints/correction.rule.ts';
import { complaintsModule } from '../../features/complaints/module.ts';
import type { ComplaintOutcome, Rejection, Withdrawal } from '../../features/complaints/policy.rule.ts';
import type { ComplaintEvidence } from '../../features/complaints/record.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import type { GivenFields } from './fields.rule.ts';
import {
  type CaseFacts,
  computeDue,
  type DeskAction,
  type DeskFormRules,
  type DeskKind,
  type Sight,
  toParts,
} from './kind.ts';

const MOST_RELATED = 10;

const { checks } = complaintsModule;

/**
 * Returns since when an operator has to do something about a complaint, and until when; undefined if the broker has.
 */
const findWait = (complaint: StoredComplaint): { since: Date; dueAt: Date } | undefined => {
  const {
    status,
    createdAt,
    screenedAt = createdAt,
    respondedAt = createdAt,
    overdueNotedAt,
    reminders = [],
  } = complaint;
  if (status === 'received') return { since: createdAt, dueAt: computeDue(checks['complaints-received'], createdAt) };
  if (status === 'screening')
    return { since: screenedAt, dueAt: computeDue(checks['complaints-screening'], screenedAt) };
  if (status === 'responded')
    return { since: respondedAt, dueAt: computeDue(checks['complaints-answered'], respondedAt) };
  if (status !== 'forwarded') return undefined;
  const unsent = reminders.find(({ sentAt }) => sentAt === undefined)?.recordedAt;
  if (unsent !== undefined) return { since: unsent, dueAt: computeDue(checks.reminders, unsent) };
  return overdueNotedAt && { since: overdueNotedAt, dueAt: computeDue(checks['complaints-overdue'], overdueNotedAt) };
};

type ShownComplaint = Awaited<ReturnType<typeof showComplaint>>;

/** Returns what happened, and when the two clocks of the broker end. */
const toTimeline = (complaint: ShownComplaint): CaseFacts['timeline'] => {
  const {
    createdAt,
    screenedAt,
    forwardedAt,
    respondedAt,
    closedAt,
    dueAt,
    finalAt,
    timely,
    ending,
    reminders = [],
  } = complaint;
  const { correctedAt, status } = complaint;
  const marks: readonly (readonly [Date | undefined, string])[] = [
    [createdAt, 'Received'],
    [screenedAt, 'Taken up'],
    [forwardedAt, 'Sent to the broker: both clocks begin'],
    ...reminders.flatMap(({ day, recordedAt, sentAt }) => [
      [recordedAt, `Reminder of day ${day} is due`] as const,
      [sentAt, `Reminder of day ${day} was sent`] as const,
    ]),
    [dueAt, 'First clock: the answer of the broker is due'],
    [finalAt, 'Second clock: it ends without an answer'],
    [respondedAt, `The broker answered, ${timely ? 'in time' : 'late'}`],
    [correctedAt, 'Corrected'],
    [closedAt, `Ended as ${status}${ending === undefined ? '' : `: ${ending}`}`],
  ];
  return marks.flatMap(([at, text]) => (at === undefined ? [] : [{ at, text }]));
};

const open = async (db: Db, id: string, _sight: Sight, now: Date): Promise<CaseFacts> => {
  const complaint = await showComplaint(db, id);
  const { broker, status, category, kycVerified, consentToForward, accountId, contact, channel, amountInDispute } =
    complaint;
  const { title, content, desiredResolution, answer, evidence = [], reminders = [] } = complaint;
  const [claims, others] = await Promise.all([
    listClaims(db, now),
    accountId === undefined ? [] : listComplaintsOfPerson(db, accountId, MOST_RELATED + 1),
  ]);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Category', category],
    ['Identity', kycVerified ? 'verified' : 'not verified'],
    ['May be sent to the broker', consentToForward ? 'yes' : 'no'],
    ['Amount', amountInDispute && `${amountInDispute.amount} ${amountInDispute.currency}`],
    ['Came by', channel],
    ['Contact', contact],
  ];
  const texts: readonly (readonly [string, string | undefined])[] = [
    ['Title', title],
    ['Complaint', content],
    ['The person wants', desiredResolution],
    ['Answer of the broker', answer],
    ...evidence.map(
      ({ kind, reference, note }) => [`Evidence: ${kind}`, [reference, note].filter(Boolean).join('\n')] as const,
    ),
  ];
  return {
    broker,
    title: `Complaint ${id} about ${broker}`,
    state: status,
    facts: facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])),
    texts: texts.flatMap(([label, text]) => (text === undefined ? [] : [{ label, parts: toParts(text) }])),
    related: others
      .filter(({ _id }) => _id !== id)
      .map((row) => ({
        kind: 'complaint',
        id: row._id,
        label: `${row.title ?? row._id} (${row.broker}, ${row.status})`,
      })),
    timeline: toTimeline(complaint),
    claim: claims('complaint', id),
    idle: reminders.some(({ sentAt }) => sentAt === undefined) ? [] : ['remind'],
  };
};

/** @throws DomainError invalid_input if the correction needs another field */
const toCorrection = ({ correction, at, outcome }: GivenFields, now: Date): Correction => {
  const code = correction as CorrectionCode;
  if (code === 'answer_found' && at) return { code, answeredAt: at(now) };
  if (code === 'wrong_outcome' && outcome !== undefined) return { code, outcome: outcome as ComplaintOutcome };
  if (code === 'ended_by_mistake') return { code };
  throw new DomainError('invalid_input', 'Say when the broker answered, or how it ended.');
};

const form = (fields: DeskFormRules['fields'], ...actions: DeskAction[]): DeskFormRules => ({ fields, actions });

const FORMS: readonly DeskFormRules[] = [
  form([], {
    action: 'screen',
    command: 'complaint screen',
    label: 'Take up',
    key: 't',
    states: ['received'],
    takes: [],
    run: (context, id) => screenComplaint(context, id),
  }),
  form(['at'], {
    action: 'forward',
    command: 'complaint forward',
    label: 'It was sent to the broker',
    key: 'f',
    states: ['screening'],
    takes: ['at'],
    run: (context, id, { at }) => forwardComplaint(context, id, at?.(context.clock())),
  }),
  form(['at', 'answer'], {
    action: 'answer',
    command: 'complaint answer',
    label: 'The broker answered',
    key: 'a',
    states: ['forwarded'],
    takes: ['at', 'answer'],
    run: (context, id, { at, answer: text }) =>
      answerComplaint(context, id, { answeredAt: at?.(context.clock()), text }),
  }),
  form(['resolution'], {
    action: 'resolve',
    command: 'complaint resolve',
    label: 'End as resolved',
    key: 'e',
    states: ['responded'],
    takes: ['resolution'],
    needs: ['resolution'],
    run: (context, id, { resolution }) => concludeComplaint(context, id, resolution as ComplaintOutcome),
  }),
  form(['failure'], {
    action: 'close',
    command: 'complaint close',
    label: 'End as unresolved',
    key: 'x',
    states: ['forwarded', 'responded'],
    takes: ['failure'],
    needs: ['failure'],
    run: (context, id, { failure }) => concludeComplaint(context, id, failure as ComplaintOutcome),
  }),
  form(['rejection'], {
    action: 'reject',
    command: 'complaint reject',
    label: 'Reject',
    key: 'r',
    states: ['received', 'screening'],
    takes: ['rejection'],
    needs: ['rejection'],
    run: (context, id, { rejection }) => rejectComplaint(context, id, rejection as Rejection),
  }),
  form(['ending'], {
    action: 'withdraw',
    command: 'complaint withdraw',
    label: 'Withdraw for its author',
    states: ['received', 'screening', 'forwarded', 'responded'],
    takes: ['ending'],
    needs: ['ending'],
    run: (context, id, { ending }) => withdrawComplaint(context, id, ending as Withdrawal),
  }),
  form([], {
    action: 'remind',
    command: 'complaint remind',
    label: 'The reminders were sent',
    states: ['forwarded'],
    takes: [],
    run: (context, id) => markRemindersSent(context, id),
  }),
  form(['evidence', 'place', 'sha256', 'remark'], {
    action: 'evidence',
    command: 'complaint evidence',
    label: 'Add evidence',
    states: ['received', 'screening', 'forwarded', 'responded'],
    takes: ['evidence', 'place', 'sha256', 'remark'],
    needs: ['evidence', 'place'],
    stays: true,
    run: (context, id, { evidence, place = '', sha256, remark }) =>
      addEvidence(context, id, {
        kind: evidence as ComplaintEvidence['kind'],
        reference: place,
        ...(sha256 === undefined ? {} : { sha256 }),
        ...(remark === undefined ? {} : { note: remark }),
      }),
  }),
  form(['correction', 'at', 'outcome'], {
    action: 'correct',
    command: 'complaint correct',
    label: 'Correct the record',
    states: ['responded', 'resolved', 'unresolved', 'rejected', 'withdrawn'],
    takes: ['correction', 'at', 'outcome'],
    needs: ['correction'],
    run: (context, id, given) => correctComplaint(context, id, toCorrection(given, context.clock())),
  }),
];

const WAITING = ['received', 'screening', 'forwarded', 'responded'] as const;

export const complaintKind: DeskKind = {
  kind: 'complaint',
  plural: 'Complaints',
  lists: 'complaint list',
  shows: 'complaint show',
  claims: 'complaint screen',
  list: async (db, now, limit) => {
    const claims = await listClaims(db, now);
    const lists = await Promise.all(WAITING.map((status) => listComplaints(db, { status }, limit)));
    return lists.flatMap(({ rows }) =>
      rows.flatMap((complaint) => {
        const wait = findWait(complaint);
        const { _id: id, broker, status, category, title = category } = complaint;
        return wait
          ? [{ kind: 'complaint', id, broker, title: `${status}: ${title}`, ...wait, claim: claims('complaint', id) }]
          : [];
      }),
    );
  },
  open,
  claim: (context, id) => claimCase(context, 'complaint', id),
  release: (context, id) => releaseCase(context, 'complaint', id),
  forms: FORMS,
};
