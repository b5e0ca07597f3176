import type { ActionsOf, SubjectsOf } from './audit/actions.ts';
import { HOUR } from './checks.rule.ts';
import { defineModule } from './define-module.ts';

export const ledgerModule = defineModule({
  name: 'ledger',
  collections: {
    subjects: { people: 'none' },
    // who stated a fact is named as in the audit trail
    statements: { people: 'kept' },
    factVersions: { people: 'none' },
    recordEntries: { people: 'none', writes: ['insert', 'update'] },
    // commitments to texts, and texts that are public; an erasure of a review takes its texts with it
    recordTexts: { people: 'kept' },
    recordHeads: { people: 'none', writes: ['insert', 'update'] },
    recordDays: { people: 'none', writes: ['insert', 'update'] },
    logHeads: { people: 'none', writes: ['insert', 'update'] },
    logRefusals: { people: 'none' },
    logTiles: { people: 'none', writes: ['insert', 'update'] },
    logWitnesses: { people: 'none' },
    logKeys: { people: 'none', writes: ['insert', 'update'] },
    // permanent; names people only by the ids of their accounts
    audit: { people: 'kept', writes: ['insert'] },
    due: { people: 'none' },
    servers: { people: 'none' },
    jobs: { people: 'none' },
  },
  models: () =>
    Promise.all([
      import('./audit/store.ts'),
      import('./dirty-marks.ts'),
      import('./log/refusals.ts'),
      import('./log/store.ts'),
      import('./log/witnesses/store.ts'),
      import('./record/store/collections.ts'),
      import('./record/store/days.ts'),
      import('./statements/store.ts'),
      import('../platform/jobs/store.ts'),
      import('../platform/presence.ts'),
    ]),
  audit: {
    'log.entry_set_aside': 'an entry that did not say what its facts say was replaced before it was signed',
    'log.loss_accepted': 'an operator let the log go on although signed entries may be lost',
  },
  subjects: ['entry'],
  metrics: async () => (await import('./metrics.ts')).watchLedger,
  checks: {
    record: {
      what: 'entries of the record that wait for a number',
      shows: 'age',
      look: { olderThan: 60_000 },
      act: { olderThan: HOUR },
      help: 'log show',
      read: async (db) => ({ since: await (await import('./record/sequencer.ts')).findPendingSince(db) }),
    },
    log: {
      what: 'processes that do not sign the log, since nobody knows what was signed last',
      shows: 'count',
      look: { atLeast: 1 },
      act: { atLeast: 1 },
      help: 'log show',
      read: async (db, _, now) => {
        const { listRefusals } = await import('./log/refusals.ts');
        return { named: (await listRefusals(db, now)).map(({ why }) => why) };
      },
    },
    'log-held': {
      what: 'entries before which the log stops, since they do not say what the database publishes',
      shows: 'count and age',
      look: { atLeast: 1 },
      act: { atLeast: 1 },
      help: 'log show',
      read: async (db) => {
        const hold = await (await import('./log/hold.ts')).readHold(db);
        return hold ? { since: hold.since, named: [`entry ${hold.number}, ${hold.key}: ${hold.why}`] } : {};
      },
    },
  },
});

declare module './audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof ledgerModule> {}
  interface AuditSubjects extends SubjectsOf<typeof ledgerModule> {}
}
