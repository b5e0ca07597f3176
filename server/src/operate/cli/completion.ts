import type { Command } from 'commander';
import { terminal } from '../../platform/terminal.ts';
import { type CompletedCommand, SHELLS, writeCompletion } from './completion.rule.ts';
import { defineCommand } from './define-command.ts';

const toCompleted = (command: Command): CompletedCommand => ({
  name: command.name(),
  aliases: command.aliases(),
  options: command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, required, optional, argChoices }) => ({
      flags: [long, short].flatMap((flag) => flag ?? []),
      takesValue: required || optional,
      choices: argChoices ?? [],
    })),
  choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  takesText: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
  commands: command.commands.map(toCompleted),
});

export const completionCommands = [
  defineCommand({
    words: 'completion',
    rights: { open: true },
    args: { shell: { value: '<shell>', what: 'the shell you use', choices: SHELLS } },
    example: 'source <(broker-rating completion bash)',
    run: ({ program }, { shell }) => terminal().write(writeCompletion(shell, toCompleted(program))),
  }),
];
