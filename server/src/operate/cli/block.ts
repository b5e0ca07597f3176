import { BLOCK_REASONS } from '../../features/accounts/block-record.ts';
import {
  type BlockReplay,
  blockPerson,
  listBlocks,
  replayBlocks,
  unblockPerson,
} from '../../features/accounts/blocking.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readConfig, resolveBlockList } from '../config.ts';
import { defineCommand } from './define-command.ts';
import { print, printJson } from './output.ts';

const SUBJECT = 'as in token create; of a JWT: {issuer}#{sub}';

/** @throws DomainError if lines of the list cannot be read */
export const refuseUnreadableBlocks = ({ unreadable }: BlockReplay, path: string): void => {
  if (unreadable.length > 0)
    throw new DomainError(
      'invalid_input',
      `${path}: line ${unreadable.join(', ')} cannot be read. Mend or delete it, and run: admin account replay-blocks`,
    );
};

export const replayBlocksCommand = defineCommand({
  words: 'admin account replay-blocks',
  description: 'set and lift blocks as the list outside the database says: after a restore from a backup',
  rights: { roles: ['admin'] },
  json: true,
  example: '',
  run: async ({ json, env, database }) => {
    const path = resolveBlockList(readConfig(env));
    const found = await database((context) => replayBlocks(context, path));
    if (json) printJson(found);
    else print(`${found.renewed} marks of blocks renewed, ${found.lifted} blocks lifted.`);
    refuseUnreadableBlocks(found, path);
  },
});

/** The commands that block people. A block is the only way to end a JWT before it expires. */
export const blockCommands = [
  defineCommand({
    words: 'account block',
    description: 'refuse every token and JWT of a person from now on, of all accounts they have or will have',
    rights: { roles: ['moderator'] },
    args: { subject: { value: '<subject>', what: SUBJECT } },
    options: { reason: { value: '<code>', what: 'why', choices: BLOCK_REASONS, required: true } },
    example: "'https://login.example#alice' --reason compromised",
    run: async ({ env, database }, { subject, reason }) => {
      const path = resolveBlockList(readConfig(env));
      const count = await database((context) => blockPerson(context, subject, reason, path));
      return `The account of ${subject} is blocked${count > 1 ? `, and ${count - 1} more of the same person` : ''}.`;
    },
  }),
  defineCommand({
    words: 'account unblock',
    description: 'lift the block of a person, in all their accounts',
    rights: { roles: ['moderator'] },
    args: { subject: { value: '<subject>', what: SUBJECT } },
    example: "'https://login.example#alice'",
    run: async ({ env, database }, { subject }) => {
      const path = resolveBlockList(readConfig(env));
      await database((context) => unblockPerson(context, subject, path));
      return `The account of ${subject} is no longer blocked.`;
    },
  }),
  defineCommand({
    words: 'account blocks',
    description: 'list who is blocked',
    rights: { roles: ['admin'], reads: true },
    example: '--json',
    run: ({ database }) => database(({ db }) => listBlocks(db)),
    columns: [
      ['block', 'id'],
      'reason',
      ['since', 'at'],
      ['known person', 'person'],
      ['accounts', (row) => row.subjects.join(', ') || null],
    ],
  }),
];
