import { listNotices, NOTICE_STATES, retryNotices, showNotice } from '../../features/notices/actions.ts';
import { mailAddress } from '../../features/notices/address.rule.ts';
import { recordBounce } from '../../features/notices/bounces.ts';
import { NOTICE_KINDS } from '../../features/notices/kinds.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readConfig } from '../config.ts';
import { defineCommand } from './define-command.ts';
import { mailWebhooks } from './mail-webhook.ts';
import { LIMIT } from './options.ts';
import { print, printRows } from './output.ts';
import { UsageError } from './usage-error.ts';

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

export const mailCommands = [
  defineCommand({
    words: 'mail list',
    description: 'list the outbox, newest first',
    rights: { roles: ['moderator', 'complaints'], reads: true },
    options: {
      status: { value: '<status>', what: 'only these', choices: NOTICE_STATES },
      kind: { value: '<kind>', what: 'only these', choices: NOTICE_KINDS },
      limit: LIMIT,
    },
    example: '--status failed',
    run: async ({ json, database }, { limit, status, ...rest }) => {
      const filter = status === undefined ? rest : { ...rest, state: status };
      const { rows, total } = await database(({ db }) => listNotices(db, filter, limit));
      printRows(
        rows,
        [
          'id',
          'kind',
          'reference',
          'state',
          ['tries', 'attempts'],
          ['created', 'createdAt'],
          ['next', 'nextTryAt'],
          'problem',
        ],
        json,
      );
      if (!json && total > rows.length) print(`${rows.length} of ${total} shown: --limit shows more.`);
    },
  }),
  defineCommand({
    words: 'mail show',
    description: 'show one mail: to whom (the address is shortened), and how its tries went',
    rights: { roles: ['moderator', 'complaints'], reads: true },
    args: { id: { value: '<id>', what: 'as mail list shows it' } },
    example: 'n_5f2c',
    run: async ({ database }, { id }) => database(({ db }) => showNotice(db, id)),
  }),
  defineCommand({
    words: 'mail retry',
    description: 'try mails again that failed',
    rights: { roles: ['moderator', 'complaints'] },
    args: { ids: { value: '[ids...]', what: 'as mail list shows them' } },
    options: { all: 'up to 200 that failed, the oldest first' },
    example: '--all --actor maria',
    run: async ({ refuse, database }, { ids = [], all }) => {
      if (ids.length > 0 === (all === true)) refuse('error: name the mails to try again, or give --all');
      const count = await database((context) => retryNotices(context, all ? 'all' : ids));
      return `${count} mail${count === 1 ? ' is' : 's are'} tried again.`;
    },
  }),
  mailWebhooks,
];

export const mailAdminCommands = [
  defineCommand({
    words: 'admin mail test',
    description:
      'send one mail with the settings of this environment, and say what the server answers; needs no database',
    rights: { roles: ['admin'], unattended: true },
    args: { address: { value: '<address>', what: 'where to' } },
    actor: false,
    noDryRun: 'It sends a mail, and changes no data.',
    example: 'SMTP_URL=… MAIL_FROM=… PUBLIC_URL=… broker-rating admin mail test ops@ratings.example',
    run: async ({ env }, { address }) => {
      const to = mailAddress(address);
      if (to === undefined) throw new UsageError(`"${address}" is not a mail address.`);
      const settings = readConfig(env).mail;
      if (!settings) throw new DomainError('invalid_setting', 'SMTP_URL is not set: this service sends no mail');
      const { sendTest } = await import('../mail-test.ts');
      const sent = await sendTest(settings, to);
      if (sent.outcome !== 'sent')
        throw new DomainError('unavailable', `${to} did not get it: ${sent.outcome}, ${sent.problem}`);
      return `The mail server accepted it: ${sent.reply}`;
    },
  }),
  defineCommand({
    words: 'admin mail bounces',
    description:
      'read a report about a mail that came back (RFC 3464), from a file or from standard input, into which your mail server pipes it',
    rights: { roles: ['admin'], unattended: true },
    args: { file: { value: '[file]', what: 'a whole mail; standard input, if left out' } },
    example: '< bounce.eml',
    run: async ({ database }, { file }) => {
      const { readBounce } = await import('../../platform/mail/dsn.ts');
      const report = await readBounce(await readMail(file));
      if (!report) return print('This is not a report that a mail came back: nothing is noted.');
      const bounced = await database((context) => recordBounce(context, report));
      if (bounced.outcome === 'not ours') return print('This is not about a mail of this service: nothing is noted.');
      return `Mail ${bounced.id} ${MEANING[bounced.outcome]}.`;
    },
  }),
];
