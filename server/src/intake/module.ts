import type { ActionsOf, SubjectsOf } from '../ledger/audit/actions.ts';
import { DAY } from '../ledger/checks.rule.ts';
import { defineModule, LOCK_MS } from '../ledger/define-module.ts';

export const intakeModule = defineModule({
  name: 'intake',
  collections: {
    importRuns: { people: 'none' },
    importBatches: { people: 'none' },
  },
  models: () => import('./imports/store.ts'),
  audit: {
    'import.started': 'a run began to write a file, or what a register says',
    'import.undone': 'everything that a run wrote was taken back',
  },
  subjects: ['import'],
  jobs: [
    {
      name: 'fetch-registers',
      what: 'fetches the registers and lists that REGISTERS lists, each as often as it changes',
      needs: { setting: 'registers', variable: 'REGISTERS' },
      schedule: '25 * * * *',
      lockMs: LOCK_MS,
      run: async (...args) => (await import('./registers/fetching/job.ts')).fetchConfiguredLists(...args),
    },
  ],
  metrics: async () => (await import('./metrics.ts')).watchImports,
  checks: {
    registers: {
      what: 'last comparison with a register',
      shows: 'age',
      look: { olderThan: 8 * DAY, never: true },
      help: 'license check',
      read: async (db) => ({ since: (await (await import('./imports/runs.ts')).lastDone(db, 'licenses'))?.finishedAt }),
    },
  },
});

declare module '../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof intakeModule> {}
  interface AuditSubjects extends SubjectsOf<typeof intakeModule> {}
}
