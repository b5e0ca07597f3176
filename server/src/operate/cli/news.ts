import { listNews, removeNews } from '../../features/news/actions.ts';
import { NEWS_REMOVALS } from '../../features/news/record.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { defineCommand } from './define-command.ts';
import { feedCommands } from './feeds.ts';
import { defineReason, LIMIT } from './options.ts';
import { formatCodes, truncateRows } from './output.ts';

export const newsCommands = [
  defineCommand({
    words: 'news list',
    description: 'list news, newest first',
    rights: { open: true, reads: true },
    options: { limit: LIMIT },
    example: '--json',
    run: async ({ database }, { limit }) => {
      const found = await database(({ db }) => listNews(db, limit, undefined)); // one more than that
      const { rows, total } = truncateRows(found, limit);
      return { rows: rows.map(({ _id, ...row }) => ({ id: _id, ...row })), total };
    },
    columns: ['id', ['published', 'publishedAt'], 'category', 'severity', 'source', 'title'],
  }),
  ...feedCommands,
  defineCommand({
    words: 'news remove',
    description: 'take an item away; no feed brings it back',
    rights: { roles: ['editor'] },
    args: { id: { value: '<id>', what: 'as news list shows it' } },
    options: { reason: defineReason(NEWS_REMOVALS) },
    help: formatCodes('Reasons', NEWS_REMOVALS),
    example: '0b7c6a2f41d9e853 --reason source_withdrew --actor maria',
    run: async ({ database }, { id, reason }) => {
      const removed = await database((context) => removeNews(context, id, reason));
      if (!removed) throw new DomainError('not_found', `There is no news item "${id}". See: news list`);
      return `News item ${id} is removed.`;
    },
  }),
];
