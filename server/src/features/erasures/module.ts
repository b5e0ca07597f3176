import { defineModule } from '../../ledger/define-module.ts';

export const erasuresModule = defineModule({
  name: 'erasures',
  collections: {
    // hashes and ids of erased people and ended data, needed to keep them erased
    erasures: { people: 'kept' },
  },
  models: () => import('./store.ts'),
});
