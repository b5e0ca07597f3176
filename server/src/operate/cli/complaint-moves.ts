import type * as z from 'zod';
import { resolveCurrentSlug } from '../../features/brokers/facts.ts';
import {
  addEvidence,
  answerComplaint,
  concludeComplaint,
  correctComplaint,
  forwardComplaint,
  markRemindersSent,
  rejectComplaint,
  screenComplaint,
  withdrawComplaint,
} from '../../features/complaints/actions.ts';
import { CORRECTIONS, type Correction, type CorrectionCode } from '../../features/complaints/correction.rule.ts';
import {
  type ComplaintOutcome,
  EVIDENCE_KINDS,
  listOutcomes,
  OUTCOMES,
  REJECTIONS,
  WITHDRAWALS,
} from '../../features/complaints/policy.rule.ts';
import { AnswerText, ComplaintEvidence } from '../../features/complaints/record.rule.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type CommandDefinition, type CommandTools, defineCommand, listCodes } from './define-command.ts';
import type { Moment } from './moment.rule.ts';
import { defineReason, parsePastTime } from './options.ts';
import { formatCodes } from './output.ts';
import { readTextFile } from './text-file.ts';

/** @throws DomainError naming the invalid field */
const parseField = <T>(schema: z.ZodType<T>, name: string, value: unknown): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DomainError('invalid_input', `${[name, ...(issue?.path ?? [])].join(' ')} ${issue?.message}`);
};

export const readTextOption = ({ text, file }: { text?: string; file?: string }): string | undefined =>
  file === undefined ? text : readTextFile(file);

const listOutcomeMeanings = (status: 'resolved' | 'unresolved'): Readonly<Record<string, string>> =>
  Object.fromEntries(listOutcomes(status).map((outcome) => [outcome, OUTCOMES[outcome].what]));

const rights = { roles: ['complaints'] } as const;
const args = { reference: { value: '<reference>', what: 'as complaint list shows it' } } as const;

/** Moves a complaint, and says where it is now. */
const moveComplaint = (
  { database }: CommandTools,
  reference: string,
  move: (context: Context) => Promise<{ status: string; broker: string }>,
): Promise<string> =>
  database(async (context) => {
    const { status, broker } = await move(context);
    return `Complaint ${reference} about ${await resolveCurrentSlug(context.db, broker)} is ${status}.`;
  });

/** Defines the command that ends a complaint in a way. */
const defineEnding = (words: string, status: 'resolved' | 'unresolved'): CommandDefinition => {
  const [outcomes, meanings] = [listOutcomes(status), listOutcomeMeanings(status)];
  return defineCommand({
    words,
    description: `end a complaint as ${status}`,
    rights,
    args,
    options: { outcome: { value: '<code>', what: 'why', choices: outcomes, required: true } },
    help: formatCodes('Codes', meanings),
    example: `C-7QK2M9XF4T --outcome ${outcomes[0]}`,
    run: (tools, { reference, outcome }) =>
      moveComplaint(tools, reference, (context) => concludeComplaint(context, reference, outcome)),
  });
};

interface CorrectOptions {
  readonly reason: CorrectionCode;
  readonly at?: Moment;
  readonly outcome?: ComplaintOutcome;
}

/** @throws DomainError invalid_input if the reason needs another option */
const toCorrection = ({ reason: code, at, outcome }: CorrectOptions, now: Date): Correction => {
  const answeredAt = at?.(now);
  if (code === 'ended_by_mistake' && answeredAt === undefined && outcome === undefined) return { code };
  if (code === 'answer_found' && answeredAt !== undefined && outcome === undefined) return { code, answeredAt };
  if (code === 'wrong_outcome' && outcome !== undefined && answeredAt === undefined) return { code, outcome };
  throw new DomainError(
    'invalid_input',
    'Give --at with answer_found, --outcome with wrong_outcome, and neither with ended_by_mistake.',
  );
};

/** The commands by which operators process a complaint. */
export const complaintMoves = [
  defineCommand({
    words: 'complaint screen',
    description: 'begin to examine a complaint',
    rights,
    args,
    example: 'C-7QK2M9XF4T',
    run: (tools, { reference }) => moveComplaint(tools, reference, (context) => screenComplaint(context, reference)),
  }),
  defineEnding('complaint resolve', 'resolved'),
  defineEnding('complaint close', 'unresolved'),
  defineCommand({
    words: 'complaint reject',
    description: 'refuse a complaint that was not forwarded',
    rights,
    args,
    options: { reason: defineReason(REJECTIONS) },
    help: formatCodes('Codes', REJECTIONS),
    example: `C-7QK2M9XF4T --reason ${listCodes(REJECTIONS)[0]}`,
    run: (tools, { reference, reason }) =>
      moveComplaint(tools, reference, (context) => rejectComplaint(context, reference, reason)),
  }),
  defineCommand({
    words: 'complaint withdraw',
    description: 'withdraw a complaint for its author',
    rights,
    args,
    options: { reason: defineReason(WITHDRAWALS) },
    help: formatCodes('Codes', WITHDRAWALS),
    example: `C-7QK2M9XF4T --reason ${listCodes(WITHDRAWALS)[0]}`,
    run: (tools, { reference, reason }) =>
      moveComplaint(tools, reference, (context) => withdrawComplaint(context, reference, reason)),
  }),
  defineCommand({
    words: 'complaint forward',
    description: 'note that you sent a complaint to the broker; needs the consent of its author, and starts the clocks',
    rights,
    args,
    options: {
      at: { value: '<when>', what: 'when it was sent, which starts the clocks; else now', parse: parsePastTime },
    },
    example: 'C-7QK2M9XF4T --at 2026-11-02T09:30:00Z',
    run: (tools, { reference, at }) =>
      moveComplaint(tools, reference, (context) => forwardComplaint(context, reference, at?.(context.clock()))),
  }),
  defineCommand({
    words: 'complaint remind',
    description: 'note that the reminders of a complaint were sent to the broker',
    rights,
    args: { reference: { value: '<reference>', what: 'as complaint reminders shows it' } },
    example: 'C-7QK2M9XF4T',
    run: async ({ database }, { reference }) => {
      const count = await database((context) => markRemindersSent(context, reference));
      return `${count} reminders of complaint ${reference} are noted as sent.`;
    },
  }),
  defineCommand({
    words: 'complaint answer',
    description: "record the broker's answer; its date decides whether it was in time",
    rights,
    args,
    options: {
      at: { value: '<when>', what: 'when the broker answered; else now', parse: parsePastTime },
      text: { value: '<text>', what: 'what it wrote; private', lines: true, conflicts: 'file' },
      file: { value: '<path>', what: 'a text file with what it wrote; private' },
    },
    example: 'C-7QK2M9XF4T --at 2026-11-02T09:30:00Z --file answer.txt',
    run: (tools, { reference, at, ...options }) => {
      const given = readTextOption(options);
      const text = given === undefined ? undefined : parseField(AnswerText, 'The answer', given);
      return moveComplaint(tools, reference, (context) =>
        answerComplaint(context, reference, { answeredAt: at?.(context.clock()), text }),
      );
    },
  }),
  defineCommand({
    words: 'complaint correct',
    description: 'correct what somebody else recorded about a complaint; published as a correction',
    rights,
    args,
    options: {
      reason: defineReason(CORRECTIONS),
      at: { value: '<when>', what: 'with answer_found: when the broker answered', parse: parsePastTime },
      outcome: {
        value: '<code>',
        what: 'with wrong_outcome: how it ended',
        choices: [...listOutcomes('resolved'), ...listOutcomes('unresolved')],
      },
    },
    help: formatCodes('Codes', CORRECTIONS),
    example: 'C-7QK2M9XF4T --reason answer_found --at 2026-11-02T09:30:00Z',
    run: ({ database }, { reference, ...options }) =>
      database(async (context) => {
        const { status, broker } = await correctComplaint(context, reference, toCorrection(options, context.clock()));
        const slug = await resolveCurrentSlug(context.db, broker);
        return `Corrected: complaint ${reference} about ${slug} is ${status}. The record says so with the next counts.`;
      }),
  }),
  defineCommand({
    words: 'complaint evidence',
    description: 'add a piece of evidence by reference; no file is stored',
    rights,
    args,
    options: {
      kind: { value: '<kind>', what: 'what it is', choices: EVIDENCE_KINDS, required: true },
      place: { value: '<where>', what: 'where it is kept: an address, or a number in your own files', required: true },
      sha256: { value: '<hex>', what: 'SHA-256 of the file' },
      note: { value: '<text>', what: 'what it shows; private', lines: true },
    },
    example: 'C-7QK2M9XF4T --kind statement --place vault/2026/118.pdf',
    run: async ({ database }, { reference, kind, place, sha256, note }) => {
      const evidence = parseField(ComplaintEvidence, 'Evidence:', { kind, reference: place, sha256, note });
      const count = await database((context) => addEvidence(context, reference, evidence));
      return `Complaint ${reference} has ${count} pieces of evidence.`;
    },
  }),
];
