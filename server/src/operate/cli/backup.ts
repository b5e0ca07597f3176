import { access, constants } from 'node:fs/promises';
import type { Command } from 'commander';
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
import { addConsentOptions, type ConsentOptions, requireConsent } from './consent.ts';
import { formatRecovered } from './log.ts';
import { print, printJson } from './output.ts';
import { describeReplay, refuseUnreadable } from './people.ts';
import { createProgress } from './progress.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface BackupOptions extends ActorOption {
  readonly json?: boolean;
}

const describeSize = ({ collections }: Manifest): string =>
  `${collections.reduce((sum, entry) => sum + entry.documents, 0)} documents in ${collections.length} collections`;

interface RestoreOptions extends BackupOptions, ConsentOptions {
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
  env: NodeJS.ProcessEnv,
  dir: string,
  { actor, json, drop }: RestoreOptions,
): Promise<void> => {
  const plan = await withDatabase(env, actor, ({ db }) => planRestore(db, dir, drop === true), 'read');
  if (json) printJson(plan);
  else
    print(
      `${describeSize(plan.manifest)} of ${plan.manifest.createdAt} would be restored, in place of ` +
        `${plan.documents} documents in "${plan.database}". Nothing was changed.`,
    );
};

/** Restores a backup, and repeats what was signed, blocked or erased after it. */
const restore = async (env: NodeJS.ProcessEnv, dir: string, options: RestoreOptions): Promise<void> => {
  const { actor, json, drop, besideServers, erasures: list, acceptLostErasures } = options;
  if (options.dryRun) return showRestore(env, dir, options);
  const config = readConfig(env);
  const listPath = resolveErasureList(config);
  const blocksPath = resolveBlockList(config);
  await requireReadable(list);
  const evidence = {
    lists: [listPath, ...(list === undefined ? [] : [list])],
    isLossAccepted: acceptLostErasures === true,
  };
  const progress = createProgress();
  const { manifest, settled, pending } = await withDatabase(
    env,
    actor,
    async (context) => {
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
    },
    'replaced',
  ).finally(progress.stop);
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

export const addBackup = (backup: Command, env: NodeJS.ProcessEnv): void => {
  backup
    .argument('<dir>', 'a directory that does not exist')
    .option('--json', 'print the manifest')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating backup /backups/2026-11-21')
    .action(async (dir: string, { actor, json }: BackupOptions) => {
      const progress = createProgress();
      const config = readConfig(env);
      const manifest = await withDatabase(env, actor, (context) =>
        makeBackup(
          context,
          dir,
          version,
          (partial) => copyOutside(context.db, config, partial),
          (done, of) => progress.show('writing', done, of),
        ),
      ).finally(progress.stop);
      if (json) printJson(manifest);
      else print(`${describeSize(manifest)} written to ${dir}.`);
    });
};

export const addRestore = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .argument('<dir>', 'a directory that backup wrote')
    .option('--drop', 'replace everything that is in the database');
  addConsentOptions(command, 'database')
    .option('--beside-servers', 'with --drop: go on although servers run on the database')
    .option('--erasures <file>', 'a list of erasures that another machine kept, to be added to the one here')
    .option('--accept-lost-erasures', 'restore although people who were erased after the backup may be back')
    .option('--json', 'print the manifest, and what was erased again')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating restore /backups/2026-11-21')
    .action((dir: string, options: RestoreOptions) => restore(env, dir, options));
};
