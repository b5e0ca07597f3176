import { type Command, Option } from 'commander';
import { decideReply } from '../../features/replies/actions.ts';
import { listReplies } from '../../features/replies/facts.ts';
import {
  DECLINE_REASONS,
  type DeclineReason,
  REPLY_STATES,
  type ReplyState,
} from '../../features/replies/status.rule.ts';
import { print, printRows } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

interface ReplyListOptions {
  readonly status: ReplyState;
  readonly limit: number;
  readonly json?: boolean;
}

/** Adds the commands about replies of firms to reviews. */
export const addReplyCommands = (reply: Command, env: NodeJS.ProcessEnv): void => {
  reply
    .command('list')
    .description('list replies that wait, oldest first')
    .addOption(new Option('--status <status>', 'in this state').choices(REPLY_STATES).default('waiting'))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating reply list')
    .action(async ({ status, limit, json }: ReplyListOptions) => {
      const rows = await withDatabase(env, 'system', ({ db }) => listReplies(db, status, limit));
      printRows(
        rows.map(({ _id, reviewerId: _, ...row }) => ({ id: _id, ...row })),
        {
          id: (row) => row.id,
          broker: (row) => row.broker,
          review: (row) => row.reviewId,
          state: (row) => row.status,
          created: (row) => row.createdAt.toISOString(),
          content: (row) => row.content,
        },
        json === true,
      );
    });
  reply
    .command('publish')
    .description('publish a reply under its review')
    .argument('<id>', 'as reply list shows it')
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating reply publish re_5f0c21aa')
    .action(async (id: string, { actor }: ActorOption) => {
      const { reviewId } = await withDatabase(env, actor, (context) => decideReply(context, id, { kind: 'publish' }));
      print(`Reply ${id} is public under review ${reviewId}.`);
    });
  reply
    .command('decline')
    .description('do not publish a reply')
    .argument('<id>', 'as reply list shows it')
    .addOption(new Option('--reason <code>', 'why').choices(Object.keys(DECLINE_REASONS)).makeOptionMandatory())
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating reply decline re_5f0c21aa --reason personal_data')
    .action(async (id: string, { actor, reason }: ActorOption & { reason: DeclineReason }) => {
      await withDatabase(env, actor, (context) => decideReply(context, id, { kind: 'decline', reason }));
      print(`Reply ${id} is declined: ${DECLINE_REASONS[reason]}.`);
    });
};
