import { Slug } from '@broker-transparency/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { merge, rename, split } from '../identity.ts';
import { addBrokerContactCommands } from './broker-contact.ts';
import { print, printJson } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface Options extends ActorOption {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const parseSlug = (text: string): string => {
  const result = Slug.safeParse(text);
  if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
  return result.data;
};

const common = (command: Command): Command =>
  command
    .option('--dry-run', 'say what would happen, and write nothing')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system');

const report = <T extends object>(result: T, { dryRun, json }: Options, text: string): void => {
  if (json) printJson({ ...result, dryRun: dryRun === true }, 2);
  else print(dryRun ? `${text} Nothing was written: leave out --dry-run to do it.` : text);
};

const count = (reviews: number): string => `${reviews} review${reviews === 1 ? '' : 's'}`;

/** Commands for what becomes of brokers. */
export const addBrokerCommands = (broker: Command, env: NodeJS.ProcessEnv): void => {
  common(broker.command('rename'))
    .description('publish a broker under another slug; the former one leads to it for ever')
    .argument('<slug>', 'its current slug')
    .argument('<new-slug>', 'a slug that no broker has or had, or a former one of its own', parseSlug)
    .addHelpText('after', '\nExample:\n  broker-rating broker rename alpha-markets alpha --actor maria')
    .action(async (slug: string, to: string, options: Options) => {
      const done = await withDatabase(env, options.actor, (context) =>
        rename(context, slug, { to, dryRun: options.dryRun === true }),
      );
      report(done, options, `"${done.from}" is "${done.to}" now; requests with "${done.from}" are redirected.`);
    });
  common(broker.command('merge'))
    .description('merge a broker into another one, where its reviews and complaints count from then on')
    .argument('<slug>', 'the broker that goes')
    .requiredOption('--into <slug>', 'its successor')
    .addHelpText('after', '\nExample:\n  broker-rating broker merge beta-fx --into alpha-markets --dry-run')
    .action(async (slug: string, options: Options & { into: string }) => {
      const done = await withDatabase(env, options.actor, (context) =>
        merge(context, slug, { into: options.into, dryRun: options.dryRun === true }),
      );
      report(
        done,
        options,
        `"${done.slug}" is part of "${done.into}" now. ${count(done.reviews)} of people who wrote about both are taken ` +
          'down, the older of each two. To undo it: broker split.',
      );
    });
  common(broker.command('split'))
    .description('split a broker off the one that it was merged into')
    .argument('<slug>', 'the broker that was merged')
    .addHelpText('after', '\nExample:\n  broker-rating broker split beta-fx --actor maria')
    .action(async (slug: string, options: Options) => {
      const done = await withDatabase(env, options.actor, (context) =>
        split(context, slug, { dryRun: options.dryRun === true }),
      );
      report(
        done,
        options,
        `"${done.slug}" is by itself again, apart from "${done.into}". ${count(done.reviews)} came back.`,
      );
    });
  addBrokerContactCommands(broker, env);
};
