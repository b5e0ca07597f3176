import { expireKyc } from '../../features/accounts/actions.ts';
import { replayBlocksCommand } from './block.ts';
import { defineCommand } from './define-command.ts';

export const accountAdminCommands = [
  replayBlocksCommand,
  defineCommand({
    words: 'admin account expire',
    description: 'mark identity verifications whose end has passed as expired; the service already treats them so',
    rights: { roles: ['admin'], unattended: true },
    noDryRun: 'It works in steps, and each needs what the step before wrote.',
    example: '--actor nightly',
    run: async ({ database }) => {
      return `Verifications marked as expired: ${await database((context) => expireKyc(context))}`;
    },
  }),
];
