import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const registersModule = defineModule({
  name: 'registers',
  needs: ['regulators'],
  collections: {
    registerFiles: { people: 'none' },
  },
  audit: {
    'register.dropped': 'the last file of a published list was dropped for the one before it',
    'register.kept': 'a file of a published list was found whole and kept',
  },
  subjects: ['register'],
  metrics: async () => (await import('./metrics.ts')).watchRegisters,
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof registersModule> {}
  interface AuditSubjects extends SubjectsOf<typeof registersModule> {}
}
