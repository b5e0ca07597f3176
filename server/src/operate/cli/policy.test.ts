import { expect, test } from 'vitest';
import { isAllowed, listAllowed, ROLE_NAMES } from '../../features/operators/policy.rule.ts';
import { COMMANDS } from './commands.ts';
import { isWriting } from './define-command.ts';
import { loadCommands, loadPolicy } from './policy.ts';

test('the table of commands finds each command by its first words, and no two have the same words', async () => {
  const commands = await loadCommands();
  const words = commands.map((command) => command.words);
  expect(words).toEqual([...new Set(words)]);
  expect(commands.length).toBeGreaterThan(150);
  for (const entry of COMMANDS)
    for (const { words: found } of await entry.load()) expect(`${found} `).toMatch(new RegExp(`^${entry.words} `));
});

test('each command says what it does, in its own words or in the table of commands', async () => {
  const described = new Set(COMMANDS.map(({ words }) => words));
  const silent = (await loadCommands()).filter(
    ({ words, description = '' }) => !described.has(words) && description === '',
  );
  expect(silent.map(({ words }) => words)).toEqual([]);
});

test('no command that only reads says why it has no dry run', async () => {
  const excused = (await loadCommands()).filter(({ noDryRun }) => noDryRun !== undefined);
  expect(excused.length).toBeGreaterThan(5);
  expect(excused.filter(({ rights }) => !isWriting(rights)).map(({ words }) => words)).toEqual([]);
});

test('no role but admin may add operators, and outside deciders only decide', async () => {
  const policy = await loadPolicy();
  expect(ROLE_NAMES.filter((role) => isAllowed(role, policy['operator add'] ?? {}))).toEqual(['admin']);
  expect(listAllowed(policy, 'outside')).toEqual(['appeal decide', 'appeal list', 'operator renew', 'review show']);
  expect(listAllowed(policy, 'admin')).toEqual(Object.keys(policy));
});
