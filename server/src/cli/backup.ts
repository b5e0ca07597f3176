import type { Command } from 'commander';
import { version } from '../assets.ts';
import { makeBackup } from '../backup/backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';
import { print } from './output.ts';
import { createProgress } from './progress.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface BackupOptions extends ActorOption {
  readonly json?: boolean;
}

const printManifest = (manifest: Manifest, json: boolean | undefined, done: string): void => {
  const documents = manifest.collections.reduce((sum, entry) => sum + entry.documents, 0);
  if (json) print(JSON.stringify(manifest, null, 2));
  else print(`${documents} documents in ${manifest.collections.length} collections ${done}.`);
};

export const addBackupCommands = (program: Command, env: NodeJS.ProcessEnv): void => {
  program
    .command('backup')
    .description('write the whole database, as it is at one moment, to a new directory; it holds personal data')
    .argument('<dir>', 'a directory that does not exist')
    .option('--json', 'print the manifest')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating backup /backups/2026-11-21')
    .action(async (dir: string, { actor, json }: BackupOptions) => {
      const progress = createProgress();
      const manifest = await withDatabase(env, actor, (context) =>
        makeBackup(context, dir, version, progress.show),
      ).finally(progress.stop);
      printManifest(manifest, json, `written to ${dir}`);
    });
  program
    .command('restore')
    .description('bring a backup into an empty database; stop every server first')
    .argument('<dir>', 'as backup wrote it')
    .option('--drop <database>', 'replace everything that is in the database; confirm by its name')
    .option('--json', 'print the manifest')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating restore /backups/2026-11-21')
    .action(async (dir: string, { actor, json, drop }: BackupOptions & { drop?: string }) => {
      const progress = createProgress();
      const manifest = await withDatabase(
        env,
        actor,
        (context) => restoreBackup(context, dir, drop, progress.show),
        'alone and as it is',
      ).finally(progress.stop);
      printManifest(manifest, json, 'restored');
    });
};
