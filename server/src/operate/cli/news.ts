import { type Command, Option } from 'commander';
import { listNews, removeNews } from '../../features/news/actions.ts';
import { NEWS_REMOVALS, type NewsRemoval } from '../../features/news/record.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { addFeedCommands } from './feeds.ts';
import { formatCodes, print, printRows, printTruncation, truncateRows } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const addNewsCommands = (news: Command, env: NodeJS.ProcessEnv): void => {
  news
    .command('list')
    .description('list news, newest first')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating news list --json')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const found = await withDatabase(env, 'system', ({ db }) => listNews(db, limit, undefined)); // one more than that
      const { rows, total } = truncateRows(found, limit);
      printRows(
        rows.map(({ _id, ...row }) => ({ id: _id, ...row })),
        {
          id: (row) => row.id,
          published: (row) => row.publishedAt.toISOString(),
          category: (row) => row.category,
          severity: (row) => row.severity,
          source: (row) => row.source,
          title: (row) => row.title,
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
  addFeedCommands(news, env);
  news
    .command('remove')
    .description('take an item away; no feed brings it back')
    .argument('<id>', 'as news list shows it')
    .addOption(new Option('--reason <code>', 'why').choices(Object.keys(NEWS_REMOVALS)).makeOptionMandatory())
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', formatCodes('Reasons', NEWS_REMOVALS))
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating news remove 0b7c6a2f41d9e853 --reason source_withdrew --actor maria',
    )
    .action(async (id: string, { actor, reason }: ActorOption & { reason: NewsRemoval }) => {
      const removed = await withDatabase(env, actor, (context) => removeNews(context, id, reason));
      if (!removed) throw new DomainError('not_found', `There is no news item "${id}". See: news list`);
      print(`News item ${id} is removed.`);
    });
};
