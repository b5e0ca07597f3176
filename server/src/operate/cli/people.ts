import { rmSync, writeFileSync } from 'node:fs';
import { findSamePersonAccounts, findSubject, listAccounts } from '../../features/accounts/facts.ts';
import { KYC_STATUSES } from '../../features/accounts/kyc.rule.ts';
import { ERASURE_REASONS } from '../../features/erasures/policy.rule.ts';
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
import { createConsentOptions, requireConsent } from './consent.ts';
import { type CommandTools, defineCommand, listCodes } from './define-command.ts';
import { LIMIT } from './options.ts';
import { formatCodes, print, printJson, toJson, truncateRows } from './output.ts';

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

const replay = async ({ database, env, json }: CommandTools): Promise<void> => {
  const path = resolveErasureList(readConfig(env));
  const erasures = await database((context) => replayErasures(context, path));
  if (json) printJson(erasures);
  else print(describeReplay(erasures));
  refuseUnreadable(erasures, path);
};

export const peopleCommands = [
  defineCommand({
    words: 'account list',
    description: 'list accounts, oldest first',
    rights: { roles: ['admin'], reads: true },
    options: {
      kyc: { value: '<status>', what: 'with this identity verification', choices: KYC_STATUSES },
      limit: LIMIT,
    },
    example: '--kyc verified',
    run: async ({ database }, { kyc, limit }) => {
      const { rows, total } = truncateRows(await database(({ db }) => listAccounts(db, kyc, limit + 1)), limit);
      return { rows: rows.map(({ _id, ...row }) => ({ id: _id, ...row })), total };
    },
    columns: [
      'id',
      'subject',
      ['display name', 'displayName'],
      'country',
      ['kyc', (row) => row.kyc.status],
      ['created', 'createdAt'],
    ],
  }),
  defineCommand({
    words: 'account show',
    description: 'show one account, the other accounts of the same person, and when earlier ones were erased',
    rights: { roles: ['admin'], reads: true },
    args: { subject: { value: '<subject>', what: 'as account list shows it' } },
    example: 'alice',
    run: async ({ database }, { subject }) => {
      const found = await database(async ({ db }) => {
        const one = await findSubject(db, subject);
        const erasures = await findEarlierErasures(db, subject);
        const others = one ? (await findSamePersonAccounts(db, one)).filter(({ _id }) => _id !== one._id) : [];
        return { one, erasedAt: erasures.map(({ erasedAt }) => erasedAt), others: others.map((each) => each.subject) };
      });
      const { one, erasedAt, others } = found;
      if (!one && erasedAt.length === 0)
        throw new DomainError('not_found', `No account has the subject "${subject}". See: account list`);
      const { _id: id, ...rest } = one ?? { _id: undefined, subject };
      return { id, ...rest, samePerson: others, erasedAt };
    },
  }),
  defineCommand({
    words: 'account export',
    description: 'print everything that is held about a person, as JSON',
    rights: { roles: ['admin'] },
    args: {
      subject: { value: '<subject>', what: 'as account list shows it, or an address of mail that follows brokers' },
    },
    options: {
      out: { value: '<file>', what: 'write it to a new file that only you can read, instead of printing it' },
    },
    noDryRun: 'It shows personal data, and notes who read it.',
    example: 'alice --out alice.json',
    run: async ({ database }, { subject, out: file }) => {
      if (file !== undefined) reserveFile(file);
      try {
        const held = await database((context) => exportPerson(context, subject));
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
    },
  }),
  defineCommand({
    words: 'account erase',
    description: 'erase a person with all their accounts from everywhere; this cannot be undone',
    rights: { roles: ['admin'] },
    args: {
      subject: { value: '[subject]', what: 'as account list shows it, or an address of mail that follows brokers' },
    },
    options: {
      reason: { value: '<code>', what: 'why', choices: listCodes(ERASURE_REASONS) },
      replay: 'erase everybody on the list of erasures again: after a restore from a backup',
      ...createConsentOptions('subject'),
    },
    json: true,
    help: formatCodes('Reasons', ERASURE_REASONS),
    example: ['alice --reason requested', '--replay'],
    run: async (tools, { subject, ...options }) => {
      const { database, env, json, refuse } = tools;
      const { reason, dryRun, replay: again } = options;
      if (again && (subject !== undefined || reason !== undefined || dryRun))
        refuse('--replay takes no subject, reason or --dry-run: it erases everybody on the list.');
      if (again) return replay(tools);
      if (subject === undefined) return refuse('Name the subject, or add --replay.');
      if (reason === undefined) return refuse('Add --reason <code>.');
      const path = resolveErasureList(readConfig(env));
      const reports = dryRun
        ? await database((context) => dryRunErasure(context, subject, reason), 'read')
        : await database(async (context) => {
            await requireConsent(subject, options, `erases ${subject} from everywhere`);
            return erasePerson(context, subject, reason, path);
          });
      const formatErasedAt = ({ erasedAt }: ErasureReport): string =>
        dryRun ? 'would be erased' : `erased on ${erasedAt.toISOString()}`;
      if (json) printJson(reports);
      else
        for (const report of reports)
          print(`Account ${report.accountId}, ${formatErasedAt(report)}: ${formatErased(report)}.`);
    },
  }),
];
