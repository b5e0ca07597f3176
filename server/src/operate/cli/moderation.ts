import { REASON_CODES, REASONS, type ReasonCode } from '@broker-transparency/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
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
import { print, printJson, printRows, printTruncation, truncateRows } from './output.ts';
import { createReasonOption, noteFlag, parseLimit, parseNote, parseText } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const parseSubmission = parseText(10, 2000);
const actorFlag = '--actor <name>';

const createChoiceParser =
  <const T extends string>(...words: T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`Choose one of ${words.join(', ')}.`);
    return found;
  };

interface ModerationListOptions {
  readonly status: 'open' | 'decided';
  readonly limit: number;
  readonly json?: boolean;
}

/** A row of the list of reports or of appeals. */
interface ModerationRow {
  readonly _id: unknown;
  readonly reviewId: string;
  readonly broker: string;
  readonly text: string;
  readonly outcome?: string | null | undefined;
  readonly createdAt: Date;
}

/** Adds `list` to a group, with columns of its own between those that all lists have. */
const addListCommand = <R extends ModerationRow>(
  group: Command,
  what: string,
  env: NodeJS.ProcessEnv,
  listRows: (db: Db, status: 'open' | 'decided', limit: number) => Promise<R[]>,
  columns: Readonly<Record<string, (row: R) => string>>,
): void => {
  group
    .command('list')
    .addHelpText('after', `\nExample:\n  broker-rating ${group.name()} list --status decided --json`)
    .description(`list ${what}, oldest first`)
    .addOption(new Option('--status <status>', 'state').choices(['open', 'decided']).default('open'))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async ({ status, limit, json }: ModerationListOptions) => {
      const found = await withDatabase(env, 'system', ({ db }) => listRows(db, status, limit + 1));
      const { rows, total } = truncateRows(found, limit);
      printRows(
        rows.map(({ _id, ...row }) => ({ id: String(_id), ...row })),
        {
          id: (row) => row.id,
          review: (row) => row.reviewId,
          broker: (row) => row.broker,
          ...columns,
          text: (row) => row.text,
          outcome: (row) => row.outcome,
          created: (row) => row.createdAt.toISOString(),
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
};

/** Options of a report that came by mail. */
interface AddedReport extends ActorOption {
  readonly reason: ReasonCode;
  readonly text: string;
  readonly contact: string;
  readonly name?: string;
  readonly language: string;
}

const parseMail = (text: string): string => {
  const address = mailAddress(text);
  if (address === undefined) throw new InvalidArgumentError('Give a mail address, such as name@mail.example.');
  return address;
};

const addForget = (report: Command, env: NodeJS.ProcessEnv): void => {
  report
    .command('forget')
    .description('delete name, address and links of somebody who reported a review without an account')
    .argument('<id>', 'as report list shows it')
    .option(actorFlag, 'who does it, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating report forget 6b014b09f3536c20fa275367 --actor alice')
    .action(async (id: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => forgetReporter(context, id));
      print(`The sender of report ${id} is forgotten.`);
    });
};

const addEndLinks = (appeal: Command, env: NodeJS.ProcessEnv): void => {
  appeal
    .command('end-links')
    .description('withdraw the links by which a case can be read and appealed without an account')
    .option('--review <id>', 'those of the author of this review')
    .option('--report <id>', 'those of the sender of this report')
    .option(actorFlag, 'who does it, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating appeal end-links --report 6b014b09f3536c20fa275367')
    .action(async (options: ActorOption & { review?: string; report?: string }, command: Command) => {
      const { actor, review, report } = options;
      const about = review === undefined ? report !== undefined && { report } : report === undefined && { review };
      if (!about) command.error('error: give either --review or --report');
      else print(`${await withDatabase(env, actor, (context) => withdrawLinks(context, about))} links withdrawn.`);
    });
};

export const addReportCommands = (report: Command, env: NodeJS.ProcessEnv): void => {
  addListCommand(report, 'reports', env, listReports, {
    reason: (row) => row.reasonCode,
    by: (row) => (row.accountId === undefined ? (row.contact?.mail ?? 'anonymous') : 'account'),
  });
  report
    .command('add')
    .description('record a report that came by mail')
    .argument('<review>', 'id of a published review')
    .addOption(createReasonOption().makeOptionMandatory())
    .requiredOption('--text <text>', 'what the reporter wrote', parseSubmission)
    .requiredOption('--contact <address>', 'address of mail where the reporter is told of the decision', parseMail)
    .option('--name <name>', 'name of the reporter', parseText(2, 100))
    .option('--language <language>', 'language of mails to the reporter', parseText(2, 2), 'en')
    .option(actorFlag, 'who records it, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating report add 6b014b09f3536c20fa275367 --reason insult ' +
        '--text "It calls me a thief." --contact mail@example.org',
    )
    .action(async (reviewId: string, options: AddedReport) => {
      const { actor, reason: reasonCode, text, name, contact: mail, language } = options;
      const sender = { contact: toContact(name, mail), language, sendsMail: env['SMTP_URL'] !== undefined };
      const { _id } = await withDatabase(env, actor, (context) =>
        addReport(context, sender, { reviewId, reasonCode, text }),
      );
      print(`Report ${_id} is open.`);
    });
  addForget(report, env);
  report
    .command('decide')
    .description('decide an open report: remove the review, or keep it')
    .argument('<id>', 'as report list shows it')
    .argument('<decision>', 'remove or keep', createChoiceParser('remove', 'keep'))
    .addOption(createReasonOption())
    .option(noteFlag, 'what was found; author and reporter read it', parseNote)
    .option(actorFlag, 'who decides', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating report decide 6b014b09f3536c20fa275367 remove --reason insult --actor alice',
    )
    .action(
      async (
        id: string,
        kind: 'remove' | 'keep',
        { actor, reason, note }: ActorOption & { reason?: ReasonCode; note?: string },
        command: Command,
      ) => {
        if ((reason === undefined) === (kind === 'remove'))
          command.error('error: remove needs --reason, and keep has none');
        const decision = await withDatabase(env, actor, (context) =>
          decideReport(
            context,
            id,
            reason === undefined ? { kind: 'keep', note } : { kind: 'remove', reasonCode: reason, note },
          ),
        );
        print(`Report ${id} is decided: review ${decision.reviewId} is ${kind === 'keep' ? 'kept' : 'removed'}.`);
      },
    );
};

export const addAppealCommands = (appeal: Command, env: NodeJS.ProcessEnv): void => {
  addListCommand(appeal, 'appeals', env, listAppeals, { by: (row) => row.side });
  addEndLinks(appeal, env);
  appeal
    .command('add')
    .description('record an appeal that came by mail')
    .option('--review <id>', "the author's: against the rejection or removal of this review")
    .option('--report <id>', "the reporter's: against keeping the review this report is about")
    .requiredOption('--text <text>', 'what they wrote', parseSubmission)
    .option(actorFlag, 'who records it, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating appeal add --review 6b014b09f3536c20fa275367 --text "It is about this broker."',
    )
    .action(async (options: ActorOption & { review?: string; report?: string; text: string }, command: Command) => {
      const { actor, review, report, text } = options;
      const about = review === undefined ? report !== undefined && { report } : report === undefined && { review };
      if (!about) command.error('error: give either --review or --report');
      else {
        const { _id } = await withDatabase(env, actor, (context) => addAppeal(context, about, text));
        print(`Appeal ${_id} is open.`);
      }
    });
  appeal
    .command('decide')
    .description('confirm the decision that is appealed, or reverse it; by somebody who did not make it')
    .argument('<id>', 'as appeal list shows it')
    .argument('<decision>', 'confirm or reverse', createChoiceParser('confirm', 'reverse'))
    .requiredOption(noteFlag, 'why; author and reporter read it', parseNote)
    .addOption(createReasonOption())
    .requiredOption(actorFlag, 'who decides')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating appeal decide 6b014b09f3536c20fa275367 reverse ' +
        '--note "It is criticism, no insult." --actor bob',
    )
    .action(
      async (
        id: string,
        kind: 'confirm' | 'reverse',
        { actor, reason: reasonCode, note }: ActorOption & { reason?: ReasonCode; note: string },
      ) => {
        const { outcome } = await withDatabase(env, actor, (context) =>
          decideAppeal(context, id, kind === 'confirm' ? { kind, note } : { kind, note, reasonCode }),
        );
        print(`Appeal ${id} is decided: the decision is ${outcome}.`);
      },
    );
};

export const addModerationCommands = (moderation: Command): void => {
  moderation
    .command('reasons')
    .description('list the published reason codes')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating moderation reasons')
    .action(({ json }: { json?: boolean }) => {
      printRows(
        REASON_CODES.map((code) => ({ code, ...REASONS[code] })),
        {
          code: (row) => row.code,
          ground: (row) => row.ground,
          'needs a note': (row) => row.needsNote,
          description: (row) => row.description,
        },
        json === true,
      );
    });
};

/** Adds the command that counts again what moderators did. */
export const addRecountCommand = (moderation: Command, env: NodeJS.ProcessEnv): void => {
  moderation
    .command('recount')
    .description('count reviews, reports and appeals again, compare with the published counts, and repair what differs')
    .option('--check', 'only compare; exit with 1 if a broker differs')
    .option('--json', 'print JSON')
    .option(actorFlag, 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin moderation recount --check')
    .action(async ({ check, json, actor }: ActorOption & { check?: boolean; json?: boolean }) => {
      const result = await withDatabase(env, actor, (context) => recount(context, check !== true));
      const { compared, different } = result;
      const repaired = check ? 0 : different.length;
      if (json) printJson({ ...result, repaired });
      else
        print(`${compared} brokers compared, ${different.length} different${check ? '' : `, ${repaired} repaired`}.`);
      if (check && different.length > 0)
        throw new DomainError('failed', `Different: ${different.slice(0, 20).join(', ')}`);
    });
};
