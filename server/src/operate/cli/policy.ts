import { COMMANDS } from './commands.ts';
import { type CommandDefinition, type CommandPolicy, flattenFamilies, toPolicy } from './define-command.ts';

/** Returns every command, in the order of its words. It loads the modules of all of them. */
export const loadCommands = async (): Promise<readonly CommandDefinition[]> => {
  const loaded = await Promise.all(COMMANDS.map(({ load }) => load()));
  return flattenFamilies(loaded.flat()).toSorted((a, b) => (a.words < b.words ? -1 : 1));
};

/** Returns the policy of roles, which follows from the commands. */
export const loadPolicy = async (): Promise<CommandPolicy> => toPolicy(await loadCommands());
