import { rotateToken } from '../../features/accounts/rotation.ts';
import { defineCommand } from './define-command.ts';
import { parseSpan } from './options.ts';
import { print, printJson } from './output.ts';

export const rotateCommand = defineCommand({
  words: 'token rotate',
  description: 'make a new token like an old one, which ends after the overlap; the new one is shown this once',
  rights: { roles: ['admin'] },
  args: { id: { value: '<id>', what: 'as token list shows it' } },
  options: {
    overlap: {
      value: '<span>',
      what: 'how long both work: 24h, 7d; 0h ends the old one now',
      parse: parseSpan,
      default: '24h',
    },
    quiet: 'print the token alone',
  },
  json: true,
  example: '3f9c2d81a07b --overlap 7d',
  run: async ({ json, database }, { id, overlap, quiet }) => {
    const made = await database((context) => rotateToken(context, id, overlap));
    if (quiet) print(made.token);
    else if (json) printJson(made);
    else
      print(
        `${made.token}\n\n` +
          `Keep it: it is not shown again. Its id is ${made.id}, it expires ${made.expiresAt.toISOString()}.\n` +
          `Token ${id} ends ${made.oldEndsAt.toISOString()}.`,
      );
  },
});
