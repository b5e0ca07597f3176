import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { removeMark, setMark } from '../../features/marks/actions.ts';
import { BOUNDS, MARK_REMOVALS, MARK_RIGHTS } from '../../features/marks/policy.rule.ts';
import { findMarkObstacle, type MarkObstacle } from '../../features/marks/shown.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findBroker } from '../../published/brokers/facts.ts';
import { type CommandFamily, defineCommand } from './define-command.ts';
import { requireFile } from './import.ts';
import { defineReason } from './options.ts';
import { formatCodes } from './output.ts';

/** Reads a file, or as much of it as tells that it is too large. @throws DomainError invalid_input */
const readBounded = async (file: string): Promise<Buffer> =>
  buffer(createReadStream(requireFile(file), { end: BOUNDS.bytes })).catch((error: Error) => {
    throw new DomainError('invalid_input', `"${file}" cannot be read: ${error.message}`);
  });

/** Reasons for which pages hide a mark, in words. */
const OBSTACLES: Readonly<Record<MarkObstacle, string>> = {
  ended: 'the firm is not in business any more',
  clone: 'the firm is a suspected clone',
  warned: 'a warning about the firm is in force',
  not_confirmed: 'no register confirmed a licence of the firm within the term of a check',
};

/** The commands for the marks by which people know brokers. */
export const brokerMarks: CommandFamily = {
  words: 'broker mark',
  description: 'upload and remove the mark (logo) that the page of a broker shows',
  commands: [
    defineCommand({
      words: 'broker mark set',
      description: 'store a picture as the mark of a broker: 96 × 96 pixels, on white, without metadata',
      rights: { roles: ['editor'] },
      args: {
        slug: { value: '<slug>', what: 'the broker' },
        file: { value: '<file>', what: 'PNG, JPEG or WebP of at most 1 MiB, each side 32 to 4096 pixels' },
      },
      options: { reason: defineReason(MARK_RIGHTS) },
      help: formatCodes('Reasons', MARK_RIGHTS),
      example: 'alpha-markets alpha.png --reason firm_sent',
      run: ({ database }, { slug, file, reason }) =>
        database(async (context) => {
          const { slug: current, alike } = await setMark(context, slug, await readBounded(file), reason);
          const broker = await findBroker(context.db, current);
          const obstacle = broker ? findMarkObstacle(broker, context.clock()) : 'not_confirmed';
          const shown =
            obstacle === undefined ? 'Its page shows it now.' : `Its page hides it: ${OBSTACLES[obstacle]}.`;
          const hint = `The same picture is the mark of ${alike.join(', ')}: make sure that none of them poses as another.`;
          return `"${current}" has a mark. ${shown}${alike.length > 0 ? ` ${hint}` : ''}`;
        }),
    }),
    defineCommand({
      words: 'broker mark remove',
      description: 'remove the mark of a broker from its page',
      rights: { roles: ['editor'] },
      args: { slug: { value: '<slug>', what: 'the broker' } },
      options: { reason: defineReason(MARK_REMOVALS) },
      help: formatCodes('Reasons', MARK_REMOVALS),
      example: 'alpha-markets --reason firm_asked',
      run: async ({ database }, { slug, reason }) => {
        await database((context) => removeMark(context, slug, reason));
        return `"${slug}" has no mark any more.`;
      },
    }),
  ],
};
