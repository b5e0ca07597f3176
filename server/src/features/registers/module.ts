import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY, FAILING } from '../../ledger/checks.rule.ts';
import { defineModule } from '../../ledger/define-module.ts';

export const registersModule = defineModule({
  name: 'registers',
  needs: ['regulators'],
  collections: {
    registerFiles: { people: 'none' },
  },
  models: () => import('./store.ts'),
  audit: {
    'register.dropped': 'the last file of a published list was dropped for the one before it',
    'register.kept': 'a file of a published list was found whole and kept',
  },
  subjects: ['register'],
  metrics: async () => (await import('./metrics.ts')).watchRegisters,
  checks: {
    'register-files': {
      what: `published lists that brought no good file ${FAILING} times or more in a row`,
      shows: 'count',
      look: { atLeast: 1 },
      help: 'register list',
      read: async (db) => (await import('./checks.ts')).readFailures(db),
    },
    'register-changes': {
      what: 'published lists that change so much that somebody has to look before it is written',
      shows: 'count and age',
      look: { atLeast: 1 },
      act: { olderThan: 2 * DAY },
      help: 'register list',
      read: async (db) => (await import('./checks.ts')).readWaits(db),
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof registersModule> {}
  interface AuditSubjects extends SubjectsOf<typeof registersModule> {}
}
