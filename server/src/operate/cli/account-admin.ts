import type { Command } from 'commander';
import { expireKyc } from '../../features/accounts/actions.ts';
import { addReplayBlocks } from './block.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const addAccountAdminCommands = (account: Command, env: NodeJS.ProcessEnv): void => {
  addReplayBlocks(account, env);
  account
    .command('expire')
    .description('mark identity verifications whose end has passed as expired; the service already treats them so')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin account expire --actor nightly')
    .action(async ({ actor }: ActorOption) => {
      print(`Verifications marked as expired: ${await withDatabase(env, actor, (context) => expireKyc(context))}`);
    });
};
