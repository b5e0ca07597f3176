import { defineModule } from '../../ledger/define-module.ts';

export const answersModule = defineModule({
  name: 'answers',
  needs: ['brokers', 'accounts', 'representatives', 'disputes', 'reviews', 'replies', 'complaints'],
});
