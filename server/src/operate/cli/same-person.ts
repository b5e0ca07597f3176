import { listDuplicates } from '../../features/reviews/actions.ts';
import { defineCommand } from './define-command.ts';

export const duplicatesCommand = defineCommand({
  words: 'review duplicates',
  description:
    'list live reviews of one broker by one person, recognised only later: keep one, remove or withdraw the rest',
  rights: { roles: ['moderator'], reads: true },
  example: '--json',
  run: async ({ database }) => {
    const rows = await database(({ db }) => listDuplicates(db));
    return rows.map(({ _id, broker, accountId, status, rating, title, createdAt }) => ({
      id: String(_id),
      broker,
      accountId,
      status,
      rating,
      title,
      createdAt,
    }));
  },
  columns: ['id', 'broker', ['account', 'accountId'], 'status', 'rating', 'title', ['created', 'createdAt']],
});
