import { DISPUTE_CHANGES, DISPUTE_STATUSES, type DisputeChange } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';
import { type DisputeVerdict, decideDispute, decideDisputeText } from '../../features/disputes/actions.ts';
import { listDisputes, showDispute } from '../../features/disputes/facts.ts';
import { defineCommand } from './define-command.ts';
import { LIMIT, NOTE } from './options.ts';

const parseStatement = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Give the number in the column version of fact history.');
  return Number(text);
};

interface DecideOptions {
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

export const disputeCommands = [
  defineCommand({
    words: 'dispute list',
    description: 'list facts that firms dispute, oldest first',
    rights: { roles: ['moderator', 'editor', 'complaints'], reads: true },
    options: {
      broker: { value: '<slug>', what: 'only of this broker' },
      status: { value: '<status>', what: 'only in this state', choices: DISPUTE_STATUSES },
      limit: LIMIT,
    },
    example: '--status open',
    run: async ({ database }, { broker, status, limit }) => {
      const rows = await database(({ db }) => listDisputes(db, { broker, status }, limit));
      return rows.map(({ _id, ...row }) => ({ reference: _id, ...row }));
    },
    columns: [
      'reference',
      'broker',
      ['fact', 'field'],
      ['state', 'status'],
      ['text', 'textState'],
      ['since', 'createdAt'],
      ['due', 'dueAt'],
    ],
  }),
  defineCommand({
    words: 'dispute show',
    description: 'show a dispute with its text and its evidence',
    rights: { roles: ['moderator', 'editor', 'complaints'], reads: true },
    args: { reference: { value: '<reference>', what: 'as dispute list shows it' } },
    example: 'D-7QK2M9XF4T',
    run: async ({ database }, { reference }) => {
      const { _id, ...rest } = await database(({ db }) => showDispute(db, reference));
      return { reference: _id, ...rest };
    },
  }),
  defineCommand({
    words: 'dispute decide',
    description: 'decide whether a fact stays; to uphold a dispute, change the fact first',
    rights: { roles: ['editor'] },
    args: {
      reference: { value: '<reference>', what: 'as dispute list shows it' },
      outcome: { value: '<outcome>', what: 'the firm is right, or the fact stays', choices: ['uphold', 'reject'] },
    },
    options: {
      change: { value: '<how>', what: 'how the fact changed', choices: DISPUTE_CHANGES },
      statement: {
        value: '<number>',
        what: 'statement that changed the fact, as fact history numbers it',
        parse: parseStatement,
      },
      note: { ...NOTE, what: 'why; the firm reads it, nobody else. A rejection needs it' },
    },
    example: [
      'D-7QK2M9XF4T reject --note "The register names it so."',
      'D-7QK2M9XF4T uphold --change corrected --statement 12',
    ],
    run: async ({ refuse, database }, { reference, outcome, ...options }) => {
      const verdict = toVerdict(outcome, options);
      if (typeof verdict === 'string') return refuse(`error: ${verdict}`);
      const { status } = await database((context) => decideDispute(context, reference, verdict));
      return `Dispute ${reference} is ${status}.`;
    },
  }),
  defineCommand({
    words: 'dispute text',
    description: 'decide whether the text of a dispute is public',
    rights: { roles: ['moderator', 'editor'] },
    args: {
      reference: { value: '<reference>', what: 'as dispute list shows it' },
      decision: { value: '<decision>', what: 'whether everybody may read it', choices: ['show', 'hide'] },
    },
    example: 'D-7QK2M9XF4T show',
    run: async ({ database }, { reference, decision }) => {
      const state = decision === 'show' ? 'shown' : 'hidden';
      await database((context) => decideDisputeText(context, reference, state));
      return `The text of dispute ${reference} is ${state}.`;
    },
  }),
];
