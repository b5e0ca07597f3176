import { InvalidArgumentError } from 'commander';
import { endProber, listProbers, registerProber, requireProberName } from '../../features/service-level/actions.ts';
import { newLogKey, parseLogKey } from '../../ledger/log/keys.ts';
import { writePrivate } from '../../platform/private-file.ts';
import { defineCommand } from './define-command.ts';

const parseMinutes = (text: string): number => {
  const minutes = Number(text);
  if (!/^\d{1,4}$/.test(text) || minutes < 1 || minutes > 1440)
    throw new InvalidArgumentError('Give a number of minutes from 1 to 1440.');
  return minutes;
};

export const proberCommands = [
  defineCommand({
    words: 'admin prober new-key',
    description: 'make a key for a prober, and print the verifier key to register',
    rights: { open: true },
    args: {
      name: { value: '<name>', what: 'its name, which is never given to another key: frankfurt-1' },
      file: { value: '<file>', what: 'where to write it; a file that exists is not overwritten' },
    },
    example: 'frankfurt-1 frankfurt-1.key',
    run: async (_, { name, file: path }) => {
      const text = newLogKey(requireProberName(name));
      await writePrivate(path, text);
      return parseLogKey(text).verifierKey;
    },
  }),
  defineCommand({
    words: 'admin prober add',
    description: 'register a prober; its vote counts from the second minute after this one',
    rights: { roles: ['admin'] },
    args: { key: { value: '<key>', what: 'its verifier key, as admin prober new-key prints it' } },
    options: {
      canary: {
        value: '<minutes>',
        what: 'let it write a mark into the record every so many minutes',
        parse: parseMinutes,
      },
    },
    example: 'frankfurt-1+1f2e3d4c+AX5u… --canary 5',
    run: async ({ database }, { key, canary }) => {
      const made = await database((context) => registerProber(context, key, canary));
      return `${made.name} has a vote from ${made.since} on.`;
    },
  }),
  defineCommand({
    words: 'admin prober end',
    description: 'end the vote of a prober; its name is never used again',
    rights: { roles: ['admin'] },
    args: { name: { value: '<name>', what: 'as admin prober list shows it' } },
    example: 'frankfurt-1',
    run: async ({ database }, { name }) => {
      const until = await database((context) => endProber(context, name));
      return `${name} has a vote until ${until}. What it measured before still counts.`;
    },
  }),
  defineCommand({
    words: 'admin prober list',
    description: 'list every prober, and since when it has a vote',
    rights: { open: true, reads: true },
    example: '',
    run: async ({ database }) => {
      const probers = await database(({ db }) => listProbers(db));
      return probers;
    },
    columns: ['name', 'since', 'until', ['canary minutes', 'canaryMinutes'], 'key'],
  }),
];
