import { Argument, type Command } from 'commander';
import { terminal } from '../../platform/terminal.ts';
import { type CompletedCommand, SHELLS, type Shell, writeCompletion } from './completion.rule.ts';

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

export const addCompletion = (completion: Command): void => {
  completion
    .addArgument(new Argument('<shell>', 'the shell you use').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(broker-rating completion bash)')
    .action((shell: Shell) => {
      let program = completion;
      while (program.parent) program = program.parent;
      terminal().write(writeCompletion(shell, toCompleted(program)));
    });
};
