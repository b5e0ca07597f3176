import { type Command, Option } from 'commander';
import { BLOCK_REASONS, type BlockReason, blockAccount, CannotBlock, unblockAccount } from '../accounts/blocking.ts';
import type { Context } from '../context.ts';
import { print } from './output.ts';
import { type ActorOption, Refused, withDatabase } from './session.ts';

const SUBJECT = 'as in token create; of a JWT: {issuer}#{sub}';

const refusing = async (env: NodeJS.ProcessEnv, actor: string, work: (context: Context) => Promise<void>) => {
  try {
    await withDatabase(env, actor, work);
  } catch (error) {
    throw error instanceof CannotBlock ? new Refused(error.message) : error;
  }
};

/** The only way to end a JWT before it expires. */
export const addBlockCommands = (account: Command, env: NodeJS.ProcessEnv): void => {
  account
    .command('block')
    .description('refuse every token and JWT of an account from now on')
    .argument('<subject>', SUBJECT)
    .addOption(new Option('--reason <code>', 'why').choices(BLOCK_REASONS).makeOptionMandatory())
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      "\nExample:\n  broker-rating account block 'https://login.example#alice' --reason compromised",
    )
    .action(async (subject: string, { actor, reason }: ActorOption & { reason: BlockReason }) => {
      await refusing(env, actor, (context) => blockAccount(context, subject, reason));
      print(`The account of ${subject} is blocked.`);
    });
  account
    .command('unblock')
    .description('take the block of an account away')
    .argument('<subject>', SUBJECT)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', "\nExample:\n  broker-rating account unblock 'https://login.example#alice'")
    .action(async (subject: string, { actor }: ActorOption) => {
      await refusing(env, actor, (context) => unblockAccount(context, subject));
      print(`The account of ${subject} is not blocked any more.`);
    });
};
