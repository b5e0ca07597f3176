import { defineModule } from '../../ledger/define-module.ts';

export const transparencyModule = defineModule({
  name: 'transparency',
  needs: [],
  collections: {
    moderationCounts: { people: 'none', shows: ({ id }) => [`moderation:${id.split(' ', 1)[0]}`] },
  },
  models: () => import('./store.ts'),
});
