import { REASON_CODES, REASONS, Text } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';
import { addAppeal, decideAppeal, listAppeals } from '../../features/moderation/appeal-actions.ts';
import { withdrawLinks } from '../../features/moderation/links.ts';
import { recount } from '../../features/moderation/recount.ts';
import {
  addReport,
  decideReport,
  forgetReporter,
  listReports,
  toContact,
} from '../../features/moderation/report-actions.ts';
import { mailAddress } from '../../features/notices/address.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { LIMIT, NOTE, REASON } from './options.ts';
import { print, printJson, truncateRows } from './output.ts';

const Submission = Text(10, 2000);
const parseMail = (text: string): string => {
  const address = mailAddress(text);
  if (address === undefined) throw new InvalidArgumentError('Give a mail address, such as name@mail.example.');
  return address;
};

/** The options that say of whom an appeal or a link is. */
const toSide = ({ review, report }: { review?: string; report?: string }, { refuse }: CommandTools) => {
  if (review !== undefined && report === undefined) return { review };
  if (report !== undefined && review === undefined) return { report };
  return refuse('error: give either --review or --report');
};

const STATUS = { value: '<status>', what: 'state', choices: ['open', 'decided'], default: 'open' } as const;

/** Lists reports or appeals, with ids as text. */
const listCases = async <R extends { readonly _id: unknown }>(
  { database }: CommandTools,
  listRows: (db: Db, status: 'open' | 'decided', limit: number) => Promise<R[]>,
  { status, limit }: { status: 'open' | 'decided'; limit: number },
) => {
  const { rows, total } = truncateRows(await database(({ db }) => listRows(db, status, limit + 1)), limit);
  return { rows: rows.map(({ _id, ...row }) => ({ id: String(_id), ...row })), total };
};

export const reportCommands = [
  defineCommand({
    words: 'report list',
    description: 'list reports, oldest first',
    rights: { roles: ['moderator'], reads: true },
    options: { status: STATUS, limit: LIMIT },
    example: '--status decided --json',
    run: (tools, input) => listCases(tools, listReports, input),
    columns: [
      'id',
      ['review', 'reviewId'],
      'broker',
      ['reason', 'reasonCode'],
      ['by', (row) => (row.accountId === undefined ? (row.contact?.mail ?? 'anonymous') : 'account')],
      'text',
      'outcome',
      ['created', 'createdAt'],
    ],
  }),
  defineCommand({
    words: 'report add',
    description: 'record a report that came by mail',
    rights: { roles: ['moderator'] },
    args: { review: { value: '<review>', what: 'id of a published review' } },
    options: {
      reason: { ...REASON, required: true },
      text: { value: '<text>', what: 'what the reporter wrote', parse: Submission, required: true },
      contact: {
        value: '<address>',
        what: 'mail address of the reporter, which gets the decision',
        parse: parseMail,
        required: true,
      },
      name: { value: '<name>', what: 'name of the reporter', parse: Text(2, 100) },
      language: { value: '<language>', what: 'language of mails to the reporter', parse: Text(2, 2), default: 'en' },
    },
    example: '6b014b09f3536c20fa275367 --reason insult --text "It calls me a thief." --contact mail@example.org',
    run: async ({ env, database }, { review: reviewId, reason: reasonCode, text, name, contact: mail, language }) => {
      const sender = { contact: toContact(name, mail), language, sendsMail: env['SMTP_URL'] !== undefined };
      const { _id } = await database((context) => addReport(context, sender, { reviewId, reasonCode, text }));
      return `Report ${_id} is open.`;
    },
  }),
  defineCommand({
    words: 'report forget',
    description: 'delete name, address and links of somebody who reported a review without an account',
    rights: { roles: ['moderator'] },
    args: { id: { value: '<id>', what: 'as report list shows it' } },
    example: '6b014b09f3536c20fa275367 --actor alice',
    run: async ({ database }, { id }) => {
      await database((context) => forgetReporter(context, id));
      return `The sender of report ${id} is forgotten.`;
    },
  }),
  defineCommand({
    words: 'report decide',
    description: 'decide an open report: remove the review, or keep it',
    rights: { roles: ['moderator'] },
    args: {
      id: { value: '<id>', what: 'as report list shows it' },
      decision: { value: '<decision>', what: 'what becomes of the review', choices: ['remove', 'keep'] },
    },
    options: { reason: REASON, note: { ...NOTE, what: 'what was found; author and reporter read it' } },
    example: '6b014b09f3536c20fa275367 remove --reason insult --actor alice',
    run: async ({ refuse, database }, { id, decision: kind, reason, note }) => {
      if ((reason === undefined) === (kind === 'remove')) refuse('error: remove needs --reason, and keep has none');
      const decision = await database((context) =>
        decideReport(
          context,
          id,
          reason === undefined ? { kind: 'keep', note } : { kind: 'remove', reasonCode: reason, note },
        ),
      );
      return `Report ${id} is decided: review ${decision.reviewId} is ${kind === 'keep' ? 'kept' : 'removed'}.`;
    },
  }),
];

export const appealCommands = [
  defineCommand({
    words: 'appeal list',
    description: 'list appeals, oldest first',
    rights: { roles: ['moderator', 'outside'], reads: true },
    options: { status: STATUS, limit: LIMIT },
    example: '--status decided --json',
    run: (tools, input) => listCases(tools, listAppeals, input),
    columns: ['id', ['review', 'reviewId'], 'broker', ['by', 'side'], 'text', 'outcome', ['created', 'createdAt']],
  }),
  defineCommand({
    words: 'appeal end-links',
    description: 'withdraw the links by which a case can be read and appealed without an account',
    rights: { roles: ['moderator'] },
    options: {
      review: { value: '<id>', what: 'those of the author of this review' },
      report: { value: '<id>', what: 'those of the sender of this report' },
    },
    example: '--report 6b014b09f3536c20fa275367',
    run: async (tools, options) => {
      const side = toSide(options, tools);
      return `${await tools.database((context) => withdrawLinks(context, side))} links withdrawn.`;
    },
  }),
  defineCommand({
    words: 'appeal add',
    description: 'record an appeal that came by mail',
    rights: { roles: ['moderator'] },
    options: {
      review: { value: '<id>', what: "the author's: against the rejection or removal of this review" },
      report: { value: '<id>', what: "the reporter's: against keeping the review this report is about" },
      text: { value: '<text>', what: 'what they wrote', parse: Submission, required: true },
    },
    example: '--review 6b014b09f3536c20fa275367 --text "It is about this broker."',
    run: async (tools, { text, ...options }) => {
      const side = toSide(options, tools);
      const { _id } = await tools.database((context) => addAppeal(context, side, text));
      return `Appeal ${_id} is open.`;
    },
  }),
  defineCommand({
    words: 'appeal decide',
    description: 'confirm the decision that is appealed, or reverse it; by somebody who did not make it',
    rights: { roles: ['moderator', 'outside'] },
    args: {
      id: { value: '<id>', what: 'as appeal list shows it' },
      decision: { value: '<decision>', what: 'what becomes of the decision', choices: ['confirm', 'reverse'] },
    },
    options: { note: { ...NOTE, what: 'why; author and reporter read it', required: true }, reason: REASON },
    actor: 'required',
    example: '6b014b09f3536c20fa275367 reverse --note "It is criticism, no insult." --actor bob',
    run: async ({ database }, { id, decision: kind, reason: reasonCode, note }) => {
      const { outcome } = await database((context) =>
        decideAppeal(context, id, kind === 'confirm' ? { kind, note } : { kind, note, reasonCode }),
      );
      return `Appeal ${id} is decided: the decision is ${outcome}.`;
    },
  }),
];

export const moderationCommands = [
  defineCommand({
    words: 'moderation reasons',
    description: 'list the published reason codes',
    rights: { open: true },
    example: '',
    run: () => REASON_CODES.map((code) => ({ code, ...REASONS[code] })),
    columns: ['code', 'ground', ['needs a note', 'needsNote'], 'description'],
  }),
];

export const recountCommands = [
  defineCommand({
    words: 'admin moderation recount',
    description: 'count reviews, reports and appeals again, compare with the published counts, and repair what differs',
    rights: { roles: ['moderator'], unattended: true },
    options: { check: 'only compare; exit with 1 if a broker differs' },
    json: true,
    example: '--check',
    run: async ({ json, database }, { check }) => {
      const result = await database((context) => recount(context, check !== true));
      const { compared, different } = result;
      const repaired = check ? 0 : different.length;
      if (json) printJson({ ...result, repaired });
      else
        print(`${compared} brokers compared, ${different.length} different${check ? '' : `, ${repaired} repaired`}.`);
      if (check && different.length > 0)
        throw new DomainError('failed', `Different: ${different.slice(0, 20).join(', ')}`);
    },
  }),
];
