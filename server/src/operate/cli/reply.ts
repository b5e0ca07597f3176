import { decideReply } from '../../features/replies/actions.ts';
import { listReplies } from '../../features/replies/facts.ts';
import { DECLINE_REASONS, REPLY_STATES } from '../../features/replies/status.rule.ts';
import { defineCommand } from './define-command.ts';
import { defineReason, LIMIT } from './options.ts';

export const replyCommands = [
  defineCommand({
    words: 'reply list',
    description: 'list replies that wait, oldest first',
    rights: { roles: ['moderator'], reads: true },
    options: {
      status: { value: '<status>', what: 'in this state', choices: REPLY_STATES, default: 'waiting' },
      limit: LIMIT,
    },
    example: '',
    run: async ({ database }, { status, limit }) => {
      const rows = await database(({ db }) => listReplies(db, status, limit));
      return rows.map(({ _id, reviewerId: _, ...row }) => ({ id: _id, ...row }));
    },
    columns: ['id', 'broker', ['review', 'reviewId'], ['state', 'status'], ['created', 'createdAt'], 'content'],
  }),
  defineCommand({
    words: 'reply publish',
    description: 'publish a reply under its review',
    rights: { roles: ['moderator'] },
    args: { id: { value: '<id>', what: 'as reply list shows it' } },
    example: 're_5f0c21aa',
    run: async ({ database }, { id }) => {
      const { reviewId } = await database((context) => decideReply(context, id, { kind: 'publish' }));
      return `Reply ${id} is public under review ${reviewId}.`;
    },
  }),
  defineCommand({
    words: 'reply decline',
    description: 'do not publish a reply',
    rights: { roles: ['moderator'] },
    args: { id: { value: '<id>', what: 'as reply list shows it' } },
    options: { reason: defineReason(DECLINE_REASONS) },
    example: 're_5f0c21aa --reason personal_data',
    run: async ({ database }, { id, reason }) => {
      await database((context) => decideReply(context, id, { kind: 'decline', reason }));
      return `Reply ${id} is declined: ${DECLINE_REASONS[reason]}.`;
    },
  }),
];
