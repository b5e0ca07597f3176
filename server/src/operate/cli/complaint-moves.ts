import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
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
  type Rejection,
  WITHDRAWALS,
} from '../../features/complaints/policy.rule.ts';
import { AnswerText, ComplaintEvidence } from '../../features/complaints/record.rule.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Moment } from './moment.rule.ts';
import { parsePastTime } from './options.ts';
import { formatCodes, print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

/** @throws DomainError naming the invalid field */
const parseField = <T>(schema: z.ZodType<T>, name: string, value: unknown): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DomainError('invalid_input', `${[name, ...(issue?.path ?? [])].join(' ')} ${issue?.message}`);
};

export const readTextOption = ({ text, file }: { text?: string; file?: string }): string | undefined => {
  if (file === undefined) return text;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new DomainError('invalid_input', `"${file}" cannot be read: ${(error as Error).message}`);
  }
};

const listOutcomeMeanings = (status: 'resolved' | 'unresolved'): Record<string, string> =>
  Object.fromEntries(listOutcomes(status).map((outcome) => [outcome, OUTCOMES[outcome].what]));

/** A transition that takes at most one code. */
interface CodedMove {
  readonly command: string;
  readonly what: string;
  readonly option?: '--reason <code>' | '--outcome <code>';
  readonly codes?: Readonly<Record<string, string>>;
  readonly move: (context: Context, reference: string, code: string) => Promise<{ status: string; broker: string }>;
}

const MOVES: readonly CodedMove[] = [
  { command: 'screen', what: 'begin to examine a complaint', move: screenComplaint },
  ...(['resolved', 'unresolved'] as const).map(
    (status): CodedMove => ({
      command: status === 'resolved' ? 'resolve' : 'close',
      what: `end a complaint as ${status}`,
      option: '--outcome <code>',
      codes: listOutcomeMeanings(status),
      move: (context, reference, code) => concludeComplaint(context, reference, code as ComplaintOutcome),
    }),
  ),
  {
    command: 'reject',
    what: 'refuse a complaint that was not forwarded',
    option: '--reason <code>',
    codes: REJECTIONS,
    move: (context, reference, code) => rejectComplaint(context, reference, code as Rejection),
  },
  {
    command: 'withdraw',
    what: 'withdraw a complaint for its author',
    option: '--reason <code>',
    codes: WITHDRAWALS,
    move: (context, reference, code) => withdrawComplaint(context, reference, code as keyof typeof WITHDRAWALS),
  },
];

const addMove = (complaint: Command, env: NodeJS.ProcessEnv, { command, what, option, codes, move }: CodedMove) => {
  const added = complaint
    .command(command)
    .description(what)
    .argument('<reference>', 'as complaint list shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system');
  if (option && codes) {
    added.addOption(new Option(option, 'why').choices(Object.keys(codes)).makeOptionMandatory());
    added.addHelpText('after', formatCodes('Codes', codes));
  }
  const example = codes ? ` ${option?.split(' ', 1)[0]} ${Object.keys(codes)[0]}` : '';
  added.addHelpText('after', `\nExample:\n  broker-rating complaint ${command} C-7QK2M9XF4T${example}`);
  added.action(async (reference: string, options: ActorOption & { reason?: string; outcome?: string }) => {
    const code = options.reason ?? options.outcome ?? '';
    const { status, broker } = await withDatabase(env, options.actor, async (context) => {
      const moved = await move(context, reference, code);
      return { ...moved, broker: await resolveCurrentSlug(context.db, moved.broker) };
    });
    print(`Complaint ${reference} about ${broker} is ${status}.`);
  });
};

const addForward = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('forward')
    .description('note that it was sent to the broker; needs the consent of its author, and starts the clocks')
    .argument('<reference>', 'as complaint list shows it')
    .option('--at <when>', 'when it was sent, which starts the clocks; else now', parsePastTime)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating complaint forward C-7QK2M9XF4T --at 2026-11-02T09:30:00Z')
    .action(async (reference: string, { at, actor }: ActorOption & { at?: Moment }) => {
      const broker = await withDatabase(env, actor, async (context) =>
        resolveCurrentSlug(context.db, (await forwardComplaint(context, reference, at?.(context.clock()))).broker),
      );
      print(`Complaint ${reference} about ${broker} is forwarded.`);
    });
};

const addRemind = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('remind')
    .description('note that the reminders of a complaint were sent to the broker')
    .argument('<reference>', 'as complaint reminders shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating complaint remind C-7QK2M9XF4T')
    .action(async (reference: string, { actor }: ActorOption) => {
      const count = await withDatabase(env, actor, (context) => markRemindersSent(context, reference));
      print(`${count} reminders of complaint ${reference} are noted as sent.`);
    });
};

interface AnswerOptions extends ActorOption {
  readonly at?: Moment;
  readonly text?: string;
  readonly file?: string;
}

const addAnswer = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('answer')
    .description("record the broker's answer; its date decides whether it was in time")
    .argument('<reference>', 'as complaint list shows it')
    .option('--at <when>', 'when the broker answered; else now', parsePastTime)
    .addOption(new Option('--text <text>', 'what it wrote; private').conflicts('file'))
    .option('--file <path>', 'a text file with what it wrote; private')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating complaint answer C-7QK2M9XF4T --at 2026-11-02T09:30:00Z --file answer.txt',
    )
    .action(async (reference: string, options: AnswerOptions) => {
      const given = readTextOption(options);
      const text = given === undefined ? undefined : parseField(AnswerText, 'The answer', given);
      const broker = await withDatabase(env, options.actor, async (context) =>
        resolveCurrentSlug(
          context.db,
          (await answerComplaint(context, reference, { answeredAt: options.at?.(context.clock()), text })).broker,
        ),
      );
      print(`Complaint ${reference} about ${broker} is responded.`);
    });
};

interface CorrectOptions extends ActorOption {
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

const addCorrect = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('correct')
    .description(
      'correct how a complaint was recorded, as another person than the one who recorded it; published as a correction',
    )
    .argument('<reference>', 'as complaint list shows it')
    .addOption(new Option('--reason <code>', 'why').choices(Object.keys(CORRECTIONS)).makeOptionMandatory())
    .option('--at <when>', 'with answer_found: when the broker answered', parsePastTime)
    .addOption(
      new Option('--outcome <code>', 'with wrong_outcome: how it ended').choices([
        ...listOutcomes('resolved'),
        ...listOutcomes('unresolved'),
      ]),
    )
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', formatCodes('Codes', CORRECTIONS))
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating complaint correct C-7QK2M9XF4T --reason answer_found --at 2026-11-02T09:30:00Z',
    )
    .action(async (reference: string, options: CorrectOptions) => {
      const { status, broker } = await withDatabase(env, options.actor, async (context) => {
        const corrected = await correctComplaint(context, reference, toCorrection(options, context.clock()));
        return { ...corrected, broker: await resolveCurrentSlug(context.db, corrected.broker) };
      });
      print(`Corrected: complaint ${reference} about ${broker} is ${status}. The record says so with the next counts.`);
    });
};

const addEvidenceCommand = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('evidence')
    .description('add a piece of evidence by reference; no file is stored')
    .argument('<reference>', 'as complaint list shows it')
    .addOption(new Option('--kind <kind>', 'what it is').choices(EVIDENCE_KINDS).makeOptionMandatory())
    .requiredOption('--place <where>', 'where it is kept: an address, or a number in your own files')
    .option('--sha256 <hex>', 'SHA-256 of the file')
    .option('--note <text>', 'what it shows; private')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating complaint evidence C-7QK2M9XF4T --kind statement --place vault/2026/118.pdf',
    )
    .action(async (reference: string, { actor, kind, place, sha256, note }: ActorOption & Record<string, string>) => {
      const evidence = parseField(ComplaintEvidence, 'Evidence:', { kind, reference: place, sha256, note });
      const count = await withDatabase(env, actor, (context) => addEvidence(context, reference, evidence));
      print(`Complaint ${reference} has ${count} pieces of evidence.`);
    });
};

/** Adds the commands by which operators process a complaint. */
export const addComplaintMoves = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  for (const move of MOVES) addMove(complaint, env, move);
  addForward(complaint, env);
  addRemind(complaint, env);
  addAnswer(complaint, env);
  addCorrect(complaint, env);
  addEvidenceCommand(complaint, env);
};
