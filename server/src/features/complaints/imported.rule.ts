import { COMPLAINT_STATUSES, ComplaintSubmission, Text, Timestamp } from '@broker-transparency/contract';
import * as z from 'zod';
import { DomainError } from '../../platform/domain-error.ts';
import { Verification } from '../accounts/verification.rule.ts';
import {
  CHANNELS,
  type ComplaintOutcome,
  ENDINGS,
  type Ending,
  OUTCOMES,
  REJECTIONS,
  type Rejection,
  type Withdrawal,
} from './policy.rule.ts';
import { AnswerText } from './record.rule.ts';
import {
  answer,
  type ComplaintMove,
  conclude,
  forward,
  type MovableComplaint,
  reject,
  screen,
  withdraw,
} from './transitions.rule.ts';

/** Endings that an operator can state. Only an erasure sets `person_erased`. */
const STATED = ENDINGS.filter((ending) => ending !== 'person_erased');

/** A complaint in an import, one per row, identified by its reference in the system that it comes from. */
export const ComplaintRecord = z.strictObject({
  reference: Text(1, 200),
  ...ComplaintSubmission.shape,
  complainant: z.strictObject({
    /** The name that the operator's own systems use for the person. Never published. */
    subject: Text(1, 200),
    /** The person's address or telephone number. Private. */
    contact: Text(1, 500).optional(),
  }),
  channel: z.enum(CHANNELS).optional(),
  verification: Verification.optional(),
  status: z.enum(COMPLAINT_STATUSES),
  createdAt: Timestamp,
  screenedAt: Timestamp.optional(),
  forwardedAt: Timestamp.optional(),
  respondedAt: Timestamp.optional(),
  answer: AnswerText.optional(),
  closedAt: Timestamp.optional(),
  ending: z.enum(STATED as [Ending, ...Ending[]]).optional(),
});
export type ComplaintRecord = z.infer<typeof ComplaintRecord>;

/** An impossible step, and the column that states it. */
class ColumnMisfit extends Error {
  readonly column: string;
  constructor(column: string, message: string) {
    super(message);
    this.column = column;
  }
}

type TimeColumn = 'screenedAt' | 'forwardedAt' | 'respondedAt' | 'closedAt';

/** The columns that each state needs, and those that it may have. It must not have others. */
const COLUMNS: Readonly<
  Record<
    ComplaintRecord['status'],
    { readonly needs: readonly (TimeColumn | 'ending')[]; readonly may: readonly (TimeColumn | 'answer')[] }
  >
> = {
  received: { needs: [], may: [] },
  screening: { needs: ['screenedAt'], may: [] },
  forwarded: { needs: ['forwardedAt'], may: ['screenedAt'] },
  responded: { needs: ['forwardedAt', 'respondedAt'], may: ['screenedAt', 'answer'] },
  resolved: { needs: ['forwardedAt', 'respondedAt', 'closedAt', 'ending'], may: ['screenedAt', 'answer'] },
  unresolved: { needs: ['forwardedAt', 'closedAt', 'ending'], may: ['screenedAt', 'respondedAt', 'answer'] },
  rejected: { needs: ['closedAt', 'ending'], may: ['screenedAt'] },
  withdrawn: { needs: ['closedAt', 'ending'], may: ['screenedAt', 'forwardedAt', 'respondedAt', 'answer'] },
};

const requireColumns = (record: ComplaintRecord): void => {
  const { needs, may } = COLUMNS[record.status];
  const missing = needs.find((column) => record[column] === undefined);
  if (missing !== undefined)
    throw new ColumnMisfit(missing, `"${missing}" must be there for a complaint that is ${record.status}.`);
  const allowed: readonly string[] = [...needs, ...may];
  const all = ['screenedAt', 'forwardedAt', 'respondedAt', 'answer', 'closedAt', 'ending'] as const;
  const extra = all.find((column) => record[column] !== undefined && !allowed.includes(column));
  if (extra !== undefined)
    throw new ColumnMisfit(extra, `"${extra}" must be empty for a complaint that is ${record.status}.`);
};

/** One step of a complaint. */
interface ReplayStep {
  readonly column: TimeColumn;
  readonly at: Date;
  readonly rule: (complaint: MovableComplaint, at: Date) => ComplaintMove;
}

const findEndRule = (record: ComplaintRecord): ReplayStep['rule'] => {
  const ending = record.ending as Ending;
  if (record.status === 'rejected' && Object.hasOwn(REJECTIONS, ending))
    return (complaint, at) => reject(complaint, ending as Rejection, at);
  if (record.status === 'withdrawn' && !Object.hasOwn(REJECTIONS, ending) && !Object.hasOwn(OUTCOMES, ending))
    return (complaint, at) => withdraw(complaint, ending as Withdrawal, at);
  if (Object.hasOwn(OUTCOMES, ending) && OUTCOMES[ending as ComplaintOutcome].to === record.status)
    return (complaint, at) => conclude(complaint, ending as ComplaintOutcome, at);
  throw new ColumnMisfit('ending', `"ending" must be one for a complaint that is ${record.status}, not "${ending}".`);
};

/** Returns the steps that a complaint has taken, in order. */
const listSteps = (record: ComplaintRecord): ReplayStep[] => {
  const { screenedAt, forwardedAt, respondedAt, closedAt, answer: text } = record;
  const at = (time: string): Date => new Date(time);
  const begun = screenedAt ?? forwardedAt;
  return [
    ...(begun === undefined
      ? []
      : [{ column: screenedAt ? 'screenedAt' : 'forwardedAt', at: at(begun), rule: screen } as const]),
    ...(forwardedAt === undefined ? [] : [{ column: 'forwardedAt', at: at(forwardedAt), rule: forward } as const]),
    ...(respondedAt === undefined
      ? []
      : [
          {
            column: 'respondedAt',
            at: at(respondedAt),
            rule: (complaint: MovableComplaint, now: Date) => answer(complaint, { text }, now),
          } as const,
        ]),
    ...(closedAt === undefined ? [] : [{ column: 'closedAt', at: at(closedAt), rule: findEndRule(record) } as const]),
  ];
};

/** The fields that the steps of a complaint set. */
export type ReplayedFields = ComplaintMove['set'] | { readonly status: 'received' };

/**
 * Applies the rules of live complaints to an imported one, with each step at the time in its row.
 * @returns the fields that the steps set, or the column that does not fit, with the reason
 */
export const replayComplaint = (
  record: ComplaintRecord,
  now: Date,
): { readonly set: ReplayedFields } | { readonly column: string; readonly detail: string } => {
  let column = 'status';
  try {
    requireColumns(record);
    let last = new Date(record.createdAt);
    column = 'createdAt';
    if (last > now) throw new ColumnMisfit(column, `"createdAt" must not be in the future, not "${record.createdAt}".`);
    if (record.verification && Date.parse(record.verification.verifiedAt) > last.getTime())
      throw new ColumnMisfit(
        'verification.verifiedAt',
        '"verification.verifiedAt" must not be after createdAt: who was verified later was not when it came.',
      );
    let complaint: MovableComplaint = {
      _id: record.reference,
      status: 'received',
      consentToForward: record.consentToForward,
      createdAt: last,
    };
    let set: ReplayedFields = { status: 'received' };
    for (const step of listSteps(record)) {
      column = step.column;
      if (step.at > now)
        throw new ColumnMisfit(column, `"${column}" must not be in the future, not "${record[step.column]}".`);
      if (step.at < last)
        throw new ColumnMisfit(column, `"${column}" must not be before the step before it, ${last.toISOString()}.`);
      const move = step.rule(complaint, step.at);
      complaint = { ...complaint, ...move.set };
      set = { ...set, ...move.set };
      last = step.at;
    }
    return { set: omitGuess(record, set) };
  } catch (error) {
    if (error instanceof ColumnMisfit) return { column: error.column, detail: error.message };
    if (error instanceof DomainError) return { column, detail: error.message };
    throw error;
  }
};

/** Removes the start of the examination unless the row has it. */
const omitGuess = ({ screenedAt }: ComplaintRecord, set: ReplayedFields): ReplayedFields => {
  if (screenedAt !== undefined || !('screenedAt' in set)) return set;
  const { screenedAt: _, ...rest } = set;
  return rest as ReplayedFields;
};
