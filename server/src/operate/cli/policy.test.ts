import { Command } from 'commander';
import { expect, test } from 'vitest';
import { POLICY } from '../../features/operators/policy.rule.ts';
import { ADMIN_COMMANDS, COMMAND_GROUPS, type CommandEntry } from './commands.ts';

/** A command that does something, with its words, such as `review publish`. */
type NamedCommand = readonly [words: string, command: Command];

const listCommands = (command: Command, words: string): NamedCommand[] => [
  ...command.commands.flatMap((sub) => listCommands(sub, `${words} ${sub.name()}`)),
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [[words, command] as const] : []),
];

const listEntryCommands = async (entries: readonly CommandEntry[], before: string): Promise<NamedCommand[]> => {
  const trees = await Promise.all(
    entries.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load())(command, {});
      return listCommands(command, `${before}${name}`);
    }),
  );
  return trees.flat();
};

const everyCommand = async (): Promise<NamedCommand[]> => [
  ...(await listEntryCommands(
    COMMAND_GROUPS.flatMap(({ commands }) => commands),
    '',
  )),
  ...(await listEntryCommands(ADMIN_COMMANDS, 'admin ')),
];

test('the policy of roles has a row for every command, and for no other', async () => {
  const words = (await everyCommand()).map(([name]) => name);
  expect(Object.keys(POLICY).sort()).toEqual(words.sort());
});

test('every command that reads prints JSON on demand, and names nobody who acts', async () => {
  const reading = (await everyCommand()).filter(([words]) => POLICY[words]?.reads);
  expect(reading.length).toBeGreaterThan(40);
  const flags = reading.map(([words, { options }]) => [words, options.map(({ long }) => long)] as const);
  expect(flags.filter(([, names]) => !names.includes('--json')).map(([words]) => words)).toEqual([]);
  expect(flags.filter(([, names]) => names.includes('--actor')).map(([words]) => words)).toEqual([]);
});
