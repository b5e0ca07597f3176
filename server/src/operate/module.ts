import type { ActionsOf, SubjectsOf } from '../ledger/audit/actions.ts';
import { DAY, FAILING, HOUR } from '../ledger/checks.rule.ts';
import { defineModule, LOCK_MS } from '../ledger/define-module.ts';
import { MOST_DRIFT_SECONDS } from '../platform/clock-drift.rule.ts';

export const operateModule = defineModule({
  name: 'operate',
  collections: {
    // says that a database is a demo: the server of a real service never writes it
    demoMarks: { people: 'none', writes: [] },
    migrations: { people: 'none' },
  },
  models: () => Promise.all([import('./demo/mark.ts'), import('./migrations/store.ts')]),
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
      run: async (context, run, { operatorMail }, _countCorrection, summarize) => {
        if (operatorMail.length === 0) return;
        const { sendSummary } = await import('./daily-summary.ts');
        await sendSummary(context, run, summarize);
      },
    },
  ],
  checks: {
    jobs: {
      what: `jobs that failed ${FAILING} times in a row, or that nobody takes`,
      shows: 'count',
      look: { atLeast: 1 },
      act: { atLeast: 3 },
      help: 'admin job list',
      read: async (db, { jobs }, now) => (await import('./checks.ts')).readJobs(db, jobs, now),
    },
    backup: {
      what: 'last backup',
      shows: 'age',
      look: { olderThan: 26 * HOUR, never: true },
      act: { olderThan: 3 * DAY, neverForDays: 7 },
      help: 'backup DIR',
      read: async (db, _, now) => (await import('./checks.ts')).readBackup(db, now),
    },
    disk: {
      what: 'free space where DATA_DIR lies',
      shows: 'percent',
      look: { below: 15 },
      act: { below: 5 },
      help: 'df',
      read: async (_, { dataDir }) => (await import('./checks.ts')).readDisk(dataDir),
    },
    clock: {
      what: 'seconds between the clocks of this machine and of the database',
      shows: 'count',
      look: { atLeast: 5 },
      act: { atLeast: MOST_DRIFT_SECONDS + 1 },
      help: 'timedatectl',
      read: async (db) => {
        const { readDrift } = await import('../platform/clock-drift.ts');
        return { count: Math.round(Math.abs(await readDrift(db))) };
      },
    },
  },
  metrics: async () => (await import('./metrics.ts')).watchBackups,
});

declare module '../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof operateModule> {}
  interface AuditSubjects extends SubjectsOf<typeof operateModule> {}
}
