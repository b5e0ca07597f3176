import type { ActionsOf, SubjectsOf } from '../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../ledger/define-module.ts';

export const enterpriseModule = defineModule({
  name: 'enterprise',
  collections: {
    organisations: { people: 'none' },
    // customers are organisations; their keys are hashes
    organisationKeys: { people: 'none' },
    // what organisations asked for; it ends with the time of their plan
    enterpriseAccesses: { people: 'none', writes: ['insert'] },
    // what organisations asked for; it ends with the time of their plan
    enterpriseUses: { people: 'none' },
    enterpriseWatchlists: { people: 'none' },
    webhookEndpoints: { people: 'none' },
  },
  models: () =>
    Promise.all([
      import('./organisations/store.ts'),
      import('./usage/store.ts'),
      import('./watchlists/store.ts'),
      import('./webhooks/store.ts'),
    ]),
  audit: {
    'organisation.ended': 'the access of an organisation was ended, or its end was set',
    'organisation.granted': 'an organisation got access by an agreement, or its plan or agreement changed',
    'organisation.key_issued': 'a key of an organisation was made',
    'organisation.key_revoked': 'a key of an organisation was ended',
    'organisation.key_rotated': 'a new key takes the place of this one',
  },
  subjects: ['organisation', 'key'],
  jobs: [
    {
      name: 'snapshot',
      what: 'makes a snapshot of the record as files, if anybody has access by an agreement',
      schedule: '50 0 * * *',
      lockMs: LOCK_MS,
      run: async ({ clock, db }, { signal }, settings) => {
        const { makeDailySnapshot } = await import('./snapshots/actions.ts');
        await makeDailySnapshot(db, settings, { clock, signal });
      },
    },
    {
      name: 'snapshot-texts',
      what: 'takes texts out of snapshots that are not public any more',
      schedule: '20 * * * *',
      lockMs: LOCK_MS,
      run: async ({ clock, db }, { signal }, settings) => {
        const { renewSnapshotTexts } = await import('./snapshots/actions.ts');
        await renewSnapshotTexts(db, settings, { clock, signal });
      },
    },
    {
      name: 'enterprise-usage',
      what: 'writes what each customer used in the month before to DATA_DIR/usage',
      schedule: '40 0 * * *',
      lockMs: LOCK_MS,
      run: async ({ clock, db }, _run, { dataDir }) => {
        const { writeUsageFiles } = await import('./usage/files.ts');
        await writeUsageFiles(db, dataDir, clock());
      },
    },
  ],
  metrics: async () => (await import('./metrics.ts')).watchEnterprise,
});

declare module '../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof enterpriseModule> {}
  interface AuditSubjects extends SubjectsOf<typeof enterpriseModule> {}
}
