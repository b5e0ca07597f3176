import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { DAY } from '../../ledger/checks.rule.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const warningsModule = defineModule({
  name: 'warnings',
  needs: ['claims', 'brokers', 'notices', 'representatives', 'news'],
  collections: {
    authorityWarnings: { people: 'none' },
    warningMatches: { people: 'none' },
    warningLists: { people: 'none' },
    warningProgress: { people: 'none' },
    brokerAlarms: { people: 'none' },
  },
  models: () => Promise.all([import('./alarm-store.ts'), import('./store.ts')]),
  audit: {
    'alarm.ended': 'what several brokers had in common is so no more',
    'alarm.raised': 'several brokers have one licence number, LEI or domain',
    'alarm.settled': 'an operator noted why an alarm needs no more attention',
    'broker.warned': 'what authorities’ lists warn of became public with a broker, changed, or was taken back',
    'warning.matched': 'a warning was matched with a broker, by itself or by a person, or that was taken back',
    'warning.recorded': 'a list of an authority has a new warning, another wording, or one no more',
  },
  subjects: ['warning', 'alarm'],
  jobs: [
    {
      name: 'warning-matches',
      what: 'matches warnings of authorities with brokers that came or changed since, and brokers with each other',
      schedule: '25 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { matchWarnings } = await import('./actions.ts');
        const { compareBrokers } = await import('./alarms.ts');
        await matchWarnings(context, { signal });
        await compareBrokers(context);
      },
    },
  ],
  metrics: async () => (await import('./metrics.ts')).watchWarnings,
  checks: {
    'warnings-unchecked': {
      what: 'warnings of authorities that were matched automatically and published, and nobody has checked',
      shows: 'count and age',
      look: { atLeast: 1 },
      act: { olderThan: 2 * DAY },
      help: 'warning queue',
      read: async (db) => (await import('./actions.ts')).countMatches(db, 'unchecked'),
    },
    'warnings-waiting': {
      what: 'warnings of authorities that fit a broker and wait for somebody',
      shows: 'count and age',
      look: { olderThan: DAY },
      act: { olderThan: 3 * DAY },
      help: 'warning queue',
      read: async (db) => (await import('./actions.ts')).countMatches(db, 'waiting'),
    },
    'broker-alarms': {
      what: 'licence numbers, LEIs and domains that several brokers have',
      shows: 'count',
      look: { atLeast: 1 },
      help: 'warning alarms',
      read: async (db) => {
        const { countAlarms } = await import('./alarms.ts');
        return { count: (await countAlarms(db)).reduce((sum, { count }) => sum + count, 0) };
      },
    },
  },
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof warningsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof warningsModule> {}
}
