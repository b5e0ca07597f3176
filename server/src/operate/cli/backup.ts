import { access, constants } from 'node:fs/promises';
import { completeBlockList } from '../../features/accounts/blocking.ts';
import { completeErasureList } from '../../features/people/actions.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { database } from '../../platform/mongo.ts';
import { version } from '../../version.ts';
import { makeBackup } from '../backup/backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { copyOutside } from '../backup/outside.ts';
import { planRestore, restoreBackup } from '../backup/restore.ts';
import { settleRestored } from '../backup/settle.ts';
import { readConfig, resolveBlockList, resolveErasureList } from '../config.ts';
import { readMigrationStatus } from '../migrations/run.ts';
import { refuseUnreadableBlocks } from './block.ts';
import { type ConsentOptions, createConsentOptions, requireConsent } from './consent.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { formatRecovered } from './log.ts';
import { print, printJson } from './output.ts';
import { describeReplay, refuseUnreadable } from './people.ts';
import { createProgress } from './progress.ts';

const describeSize = ({ collections }: Manifest): string =>
  `${collections.reduce((sum, entry) => sum + entry.documents, 0)} documents in ${collections.length} collections`;

interface RestoreOptions extends ConsentOptions {
  readonly drop?: boolean;
  readonly besideServers?: boolean;
  readonly erasures?: string;
  readonly acceptLostErasures?: boolean;
}

/** @throws DomainError unreadable_file */
const requireReadable = async (path: string | undefined): Promise<void> => {
  if (path === undefined) return;
  await access(path, constants.R_OK).catch((error: Error) => {
    throw new DomainError('unreadable_file', `the list of erasures ${path}: ${error.message}`, { cause: error });
  });
};

/** Shows what a restore would replace, and that the backup is whole. */
const showRestore = async (
  { database: openDatabase, json }: CommandTools,
  dir: string,
  { drop }: RestoreOptions,
): Promise<void> => {
  const plan = await openDatabase(({ db }) => planRestore(db, dir, drop === true), 'read');
  if (json) printJson(plan);
  else
    print(
      `${describeSize(plan.manifest)} of ${plan.manifest.createdAt} would be restored, in place of ` +
        `${plan.documents} documents in "${plan.database}". Nothing was changed.`,
    );
};

/** Restores a backup, and repeats what was signed, blocked or erased after it. */
const restore = async (tools: CommandTools, dir: string, options: RestoreOptions): Promise<void> => {
  const { database: openDatabase, env, json } = tools;
  const { drop, besideServers, erasures: list, acceptLostErasures } = options;
  if (options.dryRun) return showRestore(tools, dir, options);
  const config = readConfig(env);
  const listPath = resolveErasureList(config);
  const blocksPath = resolveBlockList(config);
  await requireReadable(list);
  const evidence = {
    lists: [listPath, ...(list === undefined ? [] : [list])],
    isLossAccepted: acceptLostErasures === true,
  };
  const progress = createProgress();
  const { manifest, settled, pending } = await openDatabase(async (context) => {
    const { databaseName } = database(context.db);
    if (drop) await requireConsent(databaseName, options, `replaces everything in the database ${databaseName}`);
    await completeBlockList(context.db, blocksPath);
    await completeErasureList(context.db, listPath);
    return {
      manifest: await restoreBackup(
        context,
        dir,
        { everything: drop === true, besideServers: besideServers === true },
        evidence,
        (done, of) => progress.show('restoring', done, of),
      ),
      settled: await settleRestored(context, config, { backup: dir, erasures: list }),
      pending: (await readMigrationStatus(context.db)).pending,
    };
  }, 'replaced').finally(progress.stop);
  const { failure, blocks, erasures, ...log } = settled;
  if (json) printJson({ ...manifest, blocks, erasures, log, pendingMigrations: pending });
  else print(`${describeSize(manifest)} restored.\n${describeReplay(erasures)}${formatRecovered(settled)}`);
  if (pending.length > 0 && !json)
    print(
      `An earlier release made it: migrations (${pending.join(', ')}) are pending. Run: broker-rating admin migrate`,
    );
  refuseUnreadable(erasures, listPath);
  refuseUnreadableBlocks(blocks, blocksPath);
  if (failure !== undefined) throw failure;
};

export const backupCommands = [
  defineCommand({
    words: 'backup',
    rights: { roles: ['admin'], unattended: true },
    args: { dir: { value: '<dir>', what: 'a directory that does not exist' } },
    json: 'print the manifest',
    noDryRun: 'It writes files, and changes no data.',
    example: '/backups/2026-11-21',
    run: ({ env, database: openDatabase }, { dir }) => {
      const progress = createProgress();
      const config = readConfig(env);
      return openDatabase((context) =>
        makeBackup(
          context,
          dir,
          version,
          (partial) => copyOutside(context.db, config, partial),
          (done, of) => progress.show('writing', done, of),
        ),
      ).finally(progress.stop);
    },
    format: (manifest, { dir }) => `${describeSize(manifest)} written to ${dir}.`,
  }),
];

export const restoreCommands = [
  defineCommand({
    words: 'restore',
    rights: { roles: ['admin'] },
    args: { dir: { value: '<dir>', what: 'a directory that backup wrote' } },
    options: {
      drop: 'replace everything that is in the database',
      ...createConsentOptions('database'),
      besideServers: 'with --drop: go on although servers run on the database',
      erasures: { value: '<file>', what: 'a list of erasures that another machine kept, to be added to the one here' },
      acceptLostErasures: 'restore although people who were erased after the backup may be back',
    },
    json: 'print the manifest, and what was erased again',
    example: '/backups/2026-11-21',
    run: (tools, { dir, ...options }) => restore(tools, dir, options),
  }),
];
