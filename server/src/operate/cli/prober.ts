import { type Command, InvalidArgumentError } from 'commander';
import { endProber, listProbers, registerProber, requireProberName } from '../../features/service-level/actions.ts';
import { newLogKey, parseLogKey } from '../../ledger/log/keys.ts';
import { writePrivate } from '../../platform/private-file.ts';
import { print, printRows } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

const parseMinutes = (text: string): number => {
  const minutes = Number(text);
  if (!/^\d{1,4}$/.test(text) || minutes < 1 || minutes > 1440)
    throw new InvalidArgumentError('Give a number of minutes from 1 to 1440.');
  return minutes;
};

/** Adds the commands for those who measure the service from outside. */
export const addProberCommands = (prober: Command, env: NodeJS.ProcessEnv): void => {
  prober
    .command('new-key')
    .description('make a key for a prober, and print the verifier key to register')
    .argument('<name>', 'its name, which is never given to another key: frankfurt-1')
    .argument('<file>', 'where to write it; a file that exists is not overwritten')
    .addHelpText('after', '\nExample:\n  broker-rating admin prober new-key frankfurt-1 frankfurt-1.key')
    .action(async (name: string, path: string) => {
      const text = newLogKey(requireProberName(name));
      await writePrivate(path, text);
      print(parseLogKey(text).verifierKey);
    });
  prober
    .command('add')
    .description('register a prober: it has a vote from the second minute after this one on')
    .argument('<key>', 'its verifier key, as admin prober new-key prints it')
    .option('--canary <minutes>', 'it may write a mark into the record once in so many minutes', parseMinutes)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin prober add frankfurt-1+1f2e3d4c+AX5u… --canary 5')
    .action(async (key: string, { actor, canary }: ActorOption & { canary?: number }) => {
      const made = await withDatabase(env, actor, (context) => registerProber(context, key, canary));
      print(`${made.name} has a vote from ${made.since} on.`);
    });
  prober
    .command('end')
    .description('end the vote of a prober; its name is never used again')
    .argument('<name>')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin prober end frankfurt-1')
    .action(async (name: string, { actor }: ActorOption) => {
      const until = await withDatabase(env, actor, (context) => endProber(context, name));
      print(`${name} has a vote until ${until}. What it measured before still counts.`);
    });
  prober
    .command('list')
    .description('list every prober, and since when it has a vote')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating admin prober list')
    .action(async ({ json }: { json?: boolean }) => {
      const probers = await withDatabase(env, 'system', ({ db }) => listProbers(db));
      printRows(
        probers,
        {
          name: ({ name }) => name,
          since: ({ since }) => since,
          until: ({ until }) => until,
          'canary minutes': ({ canaryMinutes }) => canaryMinutes,
          key: ({ key }) => key,
        },
        json === true,
      );
    });
};
