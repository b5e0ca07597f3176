import {
  DISPUTE_CHANGES,
  DISPUTE_STATUSES,
  type DisputeChange,
  type DisputeStatus,
} from '@broker-transparency/contract';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type DisputeVerdict, decideDispute, decideDisputeText } from '../../features/disputes/actions.ts';
import { listDisputes, showDispute } from '../../features/disputes/facts.ts';
import { print, printRecord, printRows } from './output.ts';
import { noteFlag, parseLimit, parseNote } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

const parseStatement = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Give the number in the column version of fact history.');
  return Number(text);
};

interface DisputeListOptions {
  readonly broker?: string;
  readonly status?: DisputeStatus;
  readonly limit: number;
  readonly json?: boolean;
}

const addReading = (dispute: Command, env: NodeJS.ProcessEnv): void => {
  dispute
    .command('list')
    .description('list facts that firms dispute, oldest first')
    .option('--broker <slug>', 'only of this broker')
    .addOption(new Option('--status <status>', 'only in this state').choices(DISPUTE_STATUSES))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating dispute list --status open')
    .action(async ({ broker, status, limit, json }: DisputeListOptions) => {
      const rows = await withDatabase(env, 'system', ({ db }) => listDisputes(db, { broker, status }, limit));
      printRows(
        rows.map(({ _id, ...row }) => ({ reference: _id, ...row })),
        {
          reference: (row) => row.reference,
          broker: (row) => row.broker,
          fact: (row) => row.field,
          state: (row) => row.status,
          text: (row) => row.textState,
          since: (row) => row.createdAt.toISOString(),
          due: (row) => row.dueAt.toISOString(),
        },
        json === true,
      );
    });
  dispute
    .command('show')
    .description('show a dispute with its text and its evidence')
    .argument('<reference>', 'as dispute list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating dispute show D-7QK2M9XF4T')
    .action(async (reference: string, { json }: { json?: boolean }) => {
      const { _id, ...rest } = await withDatabase(env, 'system', ({ db }) => showDispute(db, reference));
      printRecord({ reference: _id, ...rest }, json === true);
    });
};

interface DecideOptions extends ActorOption {
  readonly change?: DisputeChange;
  readonly statement?: number;
  readonly note?: string;
}

const toVerdict = (
  outcome: DisputeVerdict['kind'],
  { change, statement, note }: DecideOptions,
): DisputeVerdict | string => {
  if (outcome === 'reject') {
    if (change !== undefined || statement !== undefined) return 'A rejected dispute changes nothing.';
    return note === undefined ? 'A rejected dispute says why the fact stays: --note' : { kind: 'reject', note };
  }
  return change === undefined
    ? 'An upheld dispute says how the fact changed: --change'
    : { kind: 'uphold', change, statement, note };
};

/** Adds the commands about the facts that firms dispute. */
export const addDisputeCommands = (dispute: Command, env: NodeJS.ProcessEnv): void => {
  addReading(dispute, env);
  dispute
    .command('decide')
    .description('decide whether a fact stays; to uphold a dispute, change the fact first')
    .argument('<reference>', 'as dispute list shows it')
    .addArgument(new Argument('<outcome>', 'the firm is right, or the fact stays').choices(['uphold', 'reject']))
    .addOption(new Option('--change <how>', 'how the fact changed').choices(DISPUTE_CHANGES))
    .option('--statement <number>', 'statement that changed the fact, as fact history numbers it', parseStatement)
    .option(noteFlag, 'why; the firm reads it, nobody else. A rejection needs it', parseNote)
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating dispute decide D-7QK2M9XF4T reject --note "The register names it so."\n' +
        '  broker-rating dispute decide D-7QK2M9XF4T uphold --change corrected --statement 12',
    )
    .action(async (reference: string, outcome: DisputeVerdict['kind'], options: DecideOptions, command: Command) => {
      const verdict = toVerdict(outcome, options);
      if (typeof verdict === 'string') return command.error(`error: ${verdict}`);
      const { status } = await withDatabase(env, options.actor, (context) =>
        decideDispute(context, reference, verdict),
      );
      print(`Dispute ${reference} is ${status}.`);
    });
  dispute
    .command('text')
    .description('decide whether the text of a dispute is public')
    .argument('<reference>', 'as dispute list shows it')
    .addArgument(new Argument('<decision>', 'whether everybody may read it').choices(['show', 'hide']))
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating dispute text D-7QK2M9XF4T show')
    .action(async (reference: string, decision: 'show' | 'hide', { actor }: ActorOption) => {
      const state = decision === 'show' ? 'shown' : 'hidden';
      await withDatabase(env, actor, (context) => decideDisputeText(context, reference, state));
      print(`The text of dispute ${reference} is ${state}.`);
    });
};
