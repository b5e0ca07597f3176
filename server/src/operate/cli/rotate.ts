import type { Command } from 'commander';
import { rotateToken } from '../../features/accounts/rotation.ts';
import { createDefaultOption, parseSpan } from './options.ts';
import { print, printJson } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface RotateOptions extends ActorOption {
  readonly overlap: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export const addRotateCommand = (token: Command, env: NodeJS.ProcessEnv): void => {
  token
    .command('rotate')
    .description('make a new token like an old one, which ends after the overlap; the new one is shown this once')
    .argument('<id>', 'as token list shows it')
    .addOption(
      createDefaultOption('--overlap <span>', 'how long both work: 24h, 7d; 0h ends the old one now', parseSpan, '24h'),
    )
    .option('--quiet', 'print the token alone')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating token rotate 3f9c2d81a07b --overlap 7d')
    .action(async (id: string, { actor, overlap, quiet, json }: RotateOptions) => {
      const made = await withDatabase(env, actor, (context) => rotateToken(context, id, overlap));
      if (quiet) print(made.token);
      else if (json) printJson(made);
      else
        print(
          `${made.token}\n\n` +
            `Keep it: it is not shown again. Its id is ${made.id}, it expires ${made.expiresAt.toISOString()}.\n` +
            `Token ${id} ends ${made.oldEndsAt.toISOString()}.`,
        );
    });
};
