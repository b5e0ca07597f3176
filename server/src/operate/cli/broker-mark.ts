import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { removeMark, setMark } from '../../features/marks/actions.ts';
import {
  BOUNDS,
  MARK_REMOVALS,
  MARK_RIGHTS,
  type MarkRemoval,
  type MarkRight,
} from '../../features/marks/policy.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { formatCodes, print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

/** Reads a file, or as much of it as tells that it is too large. @throws DomainError invalid_input */
const readBounded = (file: string): Promise<Buffer> =>
  buffer(createReadStream(file, { end: BOUNDS.bytes })).catch((error: Error) => {
    throw new DomainError('invalid_input', `"${file}" cannot be read: ${error.message}`);
  });

/** Adds the commands for the marks by which people know brokers. */
export const addBrokerMarkCommands = (broker: Command, env: NodeJS.ProcessEnv): void => {
  const mark = broker.command('mark').description('upload and remove the mark (logo) that the page of a broker shows');
  const add = (name: string, codes: Readonly<Record<string, string>>): Command =>
    mark
      .command(name)
      .argument('<slug>', 'the broker')
      .addOption(new Option('--reason <code>', 'why').choices(Object.keys(codes)).makeOptionMandatory())
      .option('--actor <name>', 'who acts, for the audit trail', 'system')
      .addHelpText('after', formatCodes('Reasons', codes));
  add('set', MARK_RIGHTS)
    .description('store a picture as the mark of a broker: 96 × 96 pixels, on white, without metadata')
    .argument('<file>', 'PNG, JPEG or WebP of at most 1 MiB, each side 32 to 4096 pixels')
    .addHelpText('after', '\nExample:\n  broker-rating broker mark set alpha-markets alpha.png --reason firm_sent')
    .action(async (slug: string, file: string, { actor, reason }: ActorOption & { reason: MarkRight }) => {
      const current = await withDatabase(env, actor, async (context) =>
        setMark(context, slug, await readBounded(file), reason),
      );
      print(
        `"${current}" has a mark. Its page shows it as long as a licence is confirmed and nobody warns of the firm.`,
      );
    });
  add('remove', MARK_REMOVALS)
    .description('remove the mark of a broker from its page')
    .addHelpText('after', '\nExample:\n  broker-rating broker mark remove alpha-markets --reason firm_asked')
    .action(async (slug: string, { actor, reason }: ActorOption & { reason: MarkRemoval }) => {
      const current = await withDatabase(env, actor, (context) => removeMark(context, slug, reason));
      print(`"${current}" has no mark any more.`);
    });
};
