import { type Command, Option } from 'commander';
import {
  listNotices,
  NOTICE_STATES,
  type NoticeState,
  retryNotices,
  showNotice,
} from '../../features/notices/actions.ts';
import { mailAddress } from '../../features/notices/address.rule.ts';
import { recordBounce } from '../../features/notices/bounces.ts';
import { NOTICE_KINDS, type NoticeKind } from '../../features/notices/kinds.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readConfig } from '../config.ts';
import { addMailWebhookCommands } from './mail-webhook.ts';
import { print, printRecord, printRows } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface MailListOptions {
  readonly status?: NoticeState;
  readonly kind?: NoticeKind;
  readonly limit: number;
  readonly json?: boolean;
}

const addList = (mail: Command, env: NodeJS.ProcessEnv): void => {
  mail
    .command('list')
    .description('list the outbox, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(NOTICE_STATES))
    .addOption(new Option('--kind <kind>', 'only these').choices(NOTICE_KINDS))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating mail list --status failed')
    .action(async ({ limit, json, status, ...rest }: MailListOptions) => {
      const filter = status === undefined ? rest : { ...rest, state: status };
      const { rows, total } = await withDatabase(env, 'system', ({ db }) => listNotices(db, filter, limit));
      printRows(
        rows,
        {
          id: (row) => row.id,
          kind: (row) => row.kind,
          reference: (row) => row.reference,
          state: (row) => row.state,
          tries: (row) => row.attempts,
          created: (row) => row.createdAt.toISOString(),
          next: (row) => row.nextTryAt?.toISOString(),
          problem: (row) => row.problem,
        },
        json === true,
      );
      if (!json && total > rows.length) print(`${rows.length} of ${total} shown: --limit shows more.`);
    });
};

const addShow = (mail: Command, env: NodeJS.ProcessEnv): void => {
  mail
    .command('show')
    .description('show one mail: to whom (the address is shortened), and how its tries went')
    .argument('<id>', 'as mail list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating mail show n_5f2c')
    .action(async (id: string, { json }: { json?: boolean }) => {
      printRecord(await withDatabase(env, 'system', ({ db }) => showNotice(db, id)), json === true);
    });
};

const addRetry = (mail: Command, env: NodeJS.ProcessEnv): void => {
  mail
    .command('retry')
    .description('try mails again that failed')
    .argument('[ids...]', 'as mail list shows them')
    .option('--all', 'up to 200 that failed, the oldest first')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating mail retry --all --actor maria')
    .action(async (ids: string[], { all, actor }: ActorOption & { all?: boolean }) => {
      if (ids.length > 0 === (all === true))
        throw new DomainError('invalid_input', 'Name the mails to try again, or give --all.');
      const count = await withDatabase(env, actor, (context) => retryNotices(context, all ? 'all' : ids));
      print(`${count} mail${count === 1 ? ' is' : 's are'} tried again.`);
    });
};

const addTest = (mail: Command, env: NodeJS.ProcessEnv): void => {
  mail
    .command('test')
    .description(
      'send one mail with the settings of this environment, and say what the server answers; needs no database',
    )
    .argument('<address>', 'where to')
    .addHelpText(
      'after',
      '\nExample:\n  SMTP_URL=… MAIL_FROM=… PUBLIC_URL=… broker-rating admin mail test ops@ratings.example',
    )
    .action(async (address: string) => {
      const to = mailAddress(address);
      if (to === undefined) throw new DomainError('invalid_input', `"${address}" is not a mail address.`);
      const settings = readConfig(env).mail;
      if (!settings) throw new DomainError('invalid_setting', 'SMTP_URL is not set: this service sends no mail');
      const { sendTest } = await import('../mail-test.ts');
      const sent = await sendTest(settings, to);
      if (sent.outcome !== 'sent')
        throw new DomainError('unavailable', `${to} did not get it: ${sent.outcome}, ${sent.problem}`);
      print(`The mail server accepted it: ${sent.reply}`);
    });
};

/** A report can repeat a whole mail, but none that this service writes is long. */
const MOST_BYTES = 1_000_000;

const readMail = async (file: string | undefined): Promise<Buffer> => {
  const { buffer } = await import('node:stream/consumers');
  const { createReadStream } = await import('node:fs');
  try {
    return await buffer(file === undefined ? process.stdin : createReadStream(file, { end: MOST_BYTES }));
  } catch (error) {
    throw new DomainError('unreadable_file', `${file ?? 'standard input'}: ${(error as Error).message}`);
  }
};

const MEANING = {
  noted: 'is noted as failed',
  'address gone': 'is noted as failed, and its address gets no more mail',
  'only delayed': 'is only delayed: nothing is noted',
} as const;

const addBounces = (mail: Command, env: NodeJS.ProcessEnv): void => {
  mail
    .command('bounces')
    .description(
      'read a report that a mail came back (RFC 3464), from a file or standard input: your mail server pipes it here',
    )
    .argument('[file]', 'a whole mail; standard input, if left out')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin mail bounces < bounce.eml')
    .action(async (file: string | undefined, { actor }: ActorOption) => {
      const { readBounce } = await import('../../platform/mail/dsn.ts');
      const report = await readBounce(await readMail(file));
      if (!report) return print('This is not a report that a mail came back: nothing is noted.');
      const bounced = await withDatabase(env, actor, (context) => recordBounce(context, report));
      if (bounced.outcome === 'not ours') return print('This is not about a mail of this service: nothing is noted.');
      print(`Mail ${bounced.id} ${MEANING[bounced.outcome]}.`);
    });
};

/** Adds the commands for mail. */
export const addMailCommands = (mail: Command, env: NodeJS.ProcessEnv): void => {
  addList(mail, env);
  addShow(mail, env);
  addRetry(mail, env);
  addMailWebhookCommands(mail, env);
};

/** Adds the commands with which an installer connects mail. */
export const addMailAdminCommands = (mail: Command, env: NodeJS.ProcessEnv): void => {
  addTest(mail, env);
  addBounces(mail, env);
};
