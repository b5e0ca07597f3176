import type { ActionsOf, SubjectsOf } from '../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../ledger/define-module.ts';

export const operateModule = defineModule({
  name: 'operate',
  collections: {
    // says that a database is a demo: the server of a real service never writes it
    demoMarks: { people: 'none', writes: [] },
    migrations: { people: 'none' },
  },
  audit: {
    'backup.made': 'the database was backed up',
    'backup.restored': 'the database was filled from a backup',
    'database.migrated': 'a migration was applied',
  },
  subjects: ['demo', 'database'],
  jobs: [
    {
      name: 'daily-summary',
      what: 'tells OPERATOR_MAIL what waits, fails or is old',
      needs: { setting: 'mail', variable: 'SMTP_URL' },
      schedule: '0 6 * * *',
      lockMs: LOCK_MS,
      run: async (context, run, settings, _countCorrection, jobs) => {
        if (settings.operatorMail.length === 0) return;
        const { sendSummary } = await import('./signals/summary.ts');
        await sendSummary(context, run, { ...settings, jobs });
      },
    },
  ],
  metrics: async () => (await import('./metrics.ts')).watchBackups,
});

declare module '../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof operateModule> {}
  interface AuditSubjects extends SubjectsOf<typeof operateModule> {}
}
