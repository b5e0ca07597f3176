import { Command } from 'commander';
import { expect, test } from 'vitest';
import { POLICY } from '../../features/operators/policy.rule.ts';
import { COMMANDS } from './commands.ts';

interface Leaf {
  readonly words: string;
  readonly isWriting: boolean;
}

const leavesOf = (command: Command, words: string): Leaf[] => [
  ...command.commands.flatMap((sub) => leavesOf(sub, `${words} ${sub.name()}`)),
  { words, isWriting: command.options.some(({ long }) => long === '--actor') },
];

const everyCommand = async (): Promise<Leaf[]> => {
  const trees = await Promise.all(
    COMMANDS.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load())(command, {});
      return leavesOf(command, name);
    }),
  );
  return trees.flat();
};

test('the policy of roles has a row for every command that writes', async () => {
  const missing = (await everyCommand()).filter(({ words, isWriting }) => isWriting && !Object.hasOwn(POLICY, words));
  expect(missing.map(({ words }) => words)).toEqual([]);
});

test('the policy of roles names no command that does not exist', async () => {
  const words = new Set((await everyCommand()).map((leaf) => leaf.words));
  expect(Object.keys(POLICY).filter((name) => !words.has(name))).toEqual([]);
});
