import { Command } from 'commander';
import { expect, test } from 'vitest';
import { POLICY } from '../../features/operators/policy.rule.ts';
import { COMMANDS } from './commands.ts';

/** Returns the words of every command that does something, such as `review publish`. */
const listCommands = (command: Command, words: string): string[] => [
  ...command.commands.flatMap((sub) => listCommands(sub, `${words} ${sub.name()}`)),
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [words] : []),
];

const everyCommand = async (): Promise<string[]> => {
  const trees = await Promise.all(
    COMMANDS.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load())(command, {});
      return listCommands(command, name);
    }),
  );
  return trees.flat();
};

test('the policy of roles has a row for every command, and for no other', async () => {
  expect(Object.keys(POLICY).sort()).toEqual((await everyCommand()).sort());
});
