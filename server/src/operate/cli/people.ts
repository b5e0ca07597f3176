import { rmSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { findSamePersonAccounts, findSubject, listAccounts } from '../../features/accounts/facts.ts';
import { KYC_STATUSES, type KycStatus } from '../../features/accounts/kyc.rule.ts';
import { ERASURE_REASONS, type ErasureReason } from '../../features/erasures/policy.rule.ts';
import {
  dryRunErasure,
  type ErasureReplay,
  type ErasureReport,
  erasePerson,
  exportPerson,
  findEarlierErasures,
  replayErasures,
} from '../../features/people/actions.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readConfig, resolveErasureList } from '../config.ts';
import { addConsentOptions, type ConsentOptions, requireConsent } from './consent.ts';
import {
  formatCodes,
  print,
  printJson,
  printRecord,
  printRows,
  printTruncation,
  toJson,
  truncateRows,
} from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const addList = (account: Command, env: NodeJS.ProcessEnv): void => {
  account
    .command('list')
    .description('list accounts, oldest first')
    .addOption(new Option('--kyc <status>', 'with this identity verification').choices(KYC_STATUSES))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating account list --kyc verified')
    .action(async ({ kyc, limit, json }: { kyc?: KycStatus; limit: number; json?: boolean }) => {
      const { rows, total } = truncateRows(
        await withDatabase(env, 'system', ({ db }) => listAccounts(db, kyc, limit + 1)),
        limit,
      );
      printRows(
        rows.map(({ _id, ...row }) => ({ id: _id, ...row })),
        {
          id: (row) => row.id,
          subject: (row) => row.subject,
          'display name': (row) => row.displayName,
          country: (row) => row.country,
          kyc: (row) => row.kyc.status,
          created: (row) => row.createdAt.toISOString(),
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
};

const addShow = (account: Command, env: NodeJS.ProcessEnv): void => {
  account
    .command('show')
    .description('show one account, the other accounts of the same person, and when earlier ones were erased')
    .argument('<subject>', 'as account list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating account show alice')
    .action(async (subject: string, { json }: { json?: boolean }) => {
      const found = await withDatabase(env, 'system', async ({ db }) => {
        const one = await findSubject(db, subject);
        const erasures = await findEarlierErasures(db, subject);
        const others = one ? (await findSamePersonAccounts(db, one)).filter(({ _id }) => _id !== one._id) : [];
        return { one, erasedAt: erasures.map(({ erasedAt }) => erasedAt), others: others.map((each) => each.subject) };
      });
      const { one, erasedAt, others } = found;
      if (!one && erasedAt.length === 0)
        throw new DomainError('not_found', `No account has the subject "${subject}". See: account list`);
      const { _id: id, ...rest } = one ?? { _id: undefined, subject };
      printRecord({ id, ...rest, samePerson: others, erasedAt }, json === true);
    });
};

/**
 * Creates a file that only its owner can read. This happens before the audit trail records the export.
 * @throws DomainError if it cannot be written
 */
const reserveFile = (file: string): void => {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new DomainError('invalid_input', `"${file}" cannot be written: ${(error as Error).message}`);
  }
};

const addExport = (account: Command, env: NodeJS.ProcessEnv): void => {
  account
    .command('export')
    .description('print everything that is held about a person, as JSON')
    .argument('<subject>', 'as account list shows it, or an address of mail that follows brokers')
    .option('--out <file>', 'write it to a new file that only you can read, instead of printing it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating account export alice --out alice.json')
    .action(async (subject: string, { out: file, actor }: ActorOption & { out?: string }) => {
      if (file !== undefined) reserveFile(file);
      try {
        const held = await withDatabase(env, actor, (context) => exportPerson(context, subject));
        const text = toJson(held, 2);
        if (file === undefined) print(text);
        else {
          writeFileSync(file, `${text}\n`);
          print(`Everything that is held about ${subject} is in ${file}.`);
        }
      } catch (error) {
        if (file !== undefined) rmSync(file, { force: true });
        throw error;
      }
    });
};

const formatErased = ({ erased }: ErasureReport): string =>
  Object.entries(erased)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing was left';

/** Describes the result of a replay in one sentence. */
export const describeReplay = ({ listed, again }: ErasureReplay): string =>
  `${listed} erasures on the list; of ${again.length} people something had come back, and is erased again.`;

/** @throws DomainError if lines of the list cannot be read */
export const refuseUnreadable = ({ unreadable }: ErasureReplay, path: string): void => {
  if (unreadable.length > 0)
    throw new DomainError(
      'invalid_input',
      `${path}: line ${unreadable.join(', ')} cannot be read. Mend or delete it, and run: account erase --replay`,
    );
};

const replay = async (env: NodeJS.ProcessEnv, actor: string, json: boolean): Promise<void> => {
  const path = resolveErasureList(readConfig(env));
  const erasures = await withDatabase(env, actor, (context) => replayErasures(context, path));
  if (json) printJson(erasures);
  else print(describeReplay(erasures));
  refuseUnreadable(erasures, path);
};

interface EraseOptions extends ActorOption, ConsentOptions {
  readonly reason?: ErasureReason;
  readonly replay?: boolean;
  readonly json?: boolean;
}

const addErase = (account: Command, env: NodeJS.ProcessEnv): void => {
  const command = account
    .command('erase')
    .description('erase a person with all their accounts from everywhere; this cannot be undone')
    .argument('[subject]', 'as account list shows it, or an address of mail that follows brokers')
    .addOption(new Option('--reason <code>', 'why').choices(Object.keys(ERASURE_REASONS)))
    .option('--replay', 'erase everybody on the list of erasures again: after a restore from a backup')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system');
  addConsentOptions(command, 'subject')
    .addHelpText('after', formatCodes('Reasons', ERASURE_REASONS))
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating account erase alice --reason requested\n  broker-rating account erase --replay',
    )
    .action(async (subject: string | undefined, options: EraseOptions) => {
      const { reason, json, actor, dryRun, replay: again } = options;
      if (again && (subject !== undefined || reason !== undefined || dryRun))
        command.error('--replay takes no subject, reason or --dry-run: it erases everybody on the list.');
      if (again) return replay(env, actor, json === true);
      if (subject === undefined) return command.error('Name the subject, or add --replay.');
      if (reason === undefined) return command.error('Add --reason <code>.');
      const path = resolveErasureList(readConfig(env));
      const reports = dryRun
        ? await withDatabase(env, actor, (context) => dryRunErasure(context, subject, reason), 'read')
        : await withDatabase(env, actor, async (context) => {
            await requireConsent(subject, options, `erases ${subject} from everywhere`);
            return erasePerson(context, subject, reason, path);
          });
      const formatErasedAt = ({ erasedAt }: ErasureReport): string =>
        dryRun ? 'would be erased' : `erased on ${erasedAt.toISOString()}`;
      if (json) printJson(reports);
      else
        for (const report of reports)
          print(`Account ${report.accountId}, ${formatErasedAt(report)}: ${formatErased(report)}.`);
    });
};

/** Adds the commands about personal data. */
export const addPeopleCommands = (account: Command, env: NodeJS.ProcessEnv): void => {
  addList(account, env);
  addShow(account, env);
  addExport(account, env);
  addErase(account, env);
};
