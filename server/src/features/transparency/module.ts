import { defineModule } from '../../ledger/define-module.ts';

export const transparencyModule = defineModule({
  name: 'transparency',
  needs: [],
});
