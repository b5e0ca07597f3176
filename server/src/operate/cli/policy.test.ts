import { Command } from 'commander';
import { expect, test } from 'vitest';
import { POLICY } from '../../features/operators/policy.rule.ts';
import { ADMIN_COMMANDS, COMMAND_GROUPS, type CommandEntry } from './commands.ts';

/** Returns the words of every command that does something, such as `review publish`. */
const listCommands = (command: Command, words: string): string[] => [
  ...command.commands.flatMap((sub) => listCommands(sub, `${words} ${sub.name()}`)),
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [words] : []),
];

const listEntryCommands = async (entries: readonly CommandEntry[], before: string): Promise<string[]> => {
  const trees = await Promise.all(
    entries.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load())(command, {});
      return listCommands(command, `${before}${name}`);
    }),
  );
  return trees.flat();
};

const everyCommand = async (): Promise<string[]> => [
  ...(await listEntryCommands(
    COMMAND_GROUPS.flatMap(({ commands }) => commands),
    '',
  )),
  ...(await listEntryCommands(ADMIN_COMMANDS, 'admin ')),
];

test('the policy of roles has a row for every command, and for no other', async () => {
  expect(Object.keys(POLICY).sort()).toEqual((await everyCommand()).sort());
});
