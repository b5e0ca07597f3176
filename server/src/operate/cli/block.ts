import { type Command, Option } from 'commander';
import { BLOCK_REASONS, type BlockReason } from '../../features/accounts/block-record.ts';
import {
  type BlockReplay,
  blockPerson,
  listBlocks,
  replayBlocks,
  unblockPerson,
} from '../../features/accounts/blocking.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readConfig, resolveBlockList } from '../config.ts';
import { print, printJson, printRows } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

const SUBJECT = 'as in token create; of a JWT: {issuer}#{sub}';

/** @throws DomainError if lines of the list cannot be read */
export const refuseUnreadableBlocks = ({ unreadable }: BlockReplay, path: string): void => {
  if (unreadable.length > 0)
    throw new DomainError(
      'invalid_input',
      `${path}: line ${unreadable.join(', ')} cannot be read. Mend or delete it, and run: admin account replay-blocks`,
    );
};

export const addReplayBlocks = (account: Command, env: NodeJS.ProcessEnv): void => {
  account
    .command('replay-blocks')
    .description('set and lift blocks as the list outside the database says: after a restore from a backup')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin account replay-blocks')
    .action(async ({ json, actor }: ActorOption & { json?: boolean }) => {
      const path = resolveBlockList(readConfig(env));
      const found = await withDatabase(env, actor, (context) => replayBlocks(context, path));
      if (json) printJson(found);
      else print(`${found.renewed} marks of blocks renewed, ${found.lifted} blocks lifted.`);
      refuseUnreadableBlocks(found, path);
    });
};

/** Commands that block people. A block is the only way to end a JWT before it expires. */
export const addBlockCommands = (account: Command, env: NodeJS.ProcessEnv): void => {
  account
    .command('block')
    .description('refuse every token and JWT of a person from now on, of all accounts they have or will have')
    .argument('<subject>', SUBJECT)
    .addOption(new Option('--reason <code>', 'why').choices(BLOCK_REASONS).makeOptionMandatory())
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      "\nExample:\n  broker-rating account block 'https://login.example#alice' --reason compromised",
    )
    .action(async (subject: string, { actor, reason }: ActorOption & { reason: BlockReason }) => {
      const path = resolveBlockList(readConfig(env));
      const count = await withDatabase(env, actor, (context) => blockPerson(context, subject, reason, path));
      print(`The account of ${subject} is blocked${count > 1 ? `, and ${count - 1} more of the same person` : ''}.`);
    });
  account
    .command('unblock')
    .description('lift the block of a person, in all their accounts')
    .argument('<subject>', SUBJECT)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', "\nExample:\n  broker-rating account unblock 'https://login.example#alice'")
    .action(async (subject: string, { actor }: ActorOption) => {
      const path = resolveBlockList(readConfig(env));
      await withDatabase(env, actor, (context) => unblockPerson(context, subject, path));
      print(`The account of ${subject} is no longer blocked.`);
    });
  account
    .command('blocks')
    .description('list who is blocked')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating account blocks --json')
    .action(async ({ json }: { json?: boolean }) => {
      printRows(
        await withDatabase(env, 'system', ({ db }) => listBlocks(db)),
        {
          block: (row) => row.id,
          reason: (row) => row.reason,
          since: (row) => row.at.toISOString(),
          'known person': (row) => row.person,
          accounts: (row) => row.subjects.join(', ') || null,
        },
        json === true,
      );
    });
};
