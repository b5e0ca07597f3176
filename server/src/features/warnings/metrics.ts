import type { ModuleMetrics } from '../../ledger/define-module.ts';
import { watchTime, watchValues } from '../../platform/observe/state.ts';
import { countOpenMatches } from './actions.ts';
import { ALARMS, type AlarmKind } from './alarms.rule.ts';
import { countAlarms } from './alarms.ts';

/** Exports the numbers of warnings' matches and of alarms that people have to check. */
export const watchWarnings: ModuleMetrics = (db, { database }) => {
  watchValues(
    database,
    'broker_rating_warning_matches_open',
    'Warnings of authorities that fit a broker and that no person has looked at.',
    async () => {
      const open = new Map((await countOpenMatches(db)).map(({ state, count }) => [state, count]));
      return (['waiting', 'unchecked'] as const).map((state) => ({ labels: { state }, value: open.get(state) ?? 0 }));
    },
  );
  watchTime(
    database,
    'broker_rating_warning_matches_open_since_timestamp_seconds',
    'Since when the oldest of them waits; missing where none does.',
    async () => (await countOpenMatches(db)).map(({ since }) => since).sort((a, b) => +a - +b)[0] ?? null,
  );
  watchValues(
    database,
    'broker_rating_broker_alarms',
    'Licence numbers, LEIs and domains that several brokers have, and nobody has settled; clone: of different firms.',
    async () => {
      const open = await countAlarms(db);
      return (Object.keys(ALARMS) as AlarmKind[]).flatMap((kind) =>
        [true, false].map((clone) => ({
          labels: { kind, clone: String(clone) },
          value: open.find((one) => one.kind === kind && one.isClone === clone)?.count ?? 0,
        })),
      );
    },
  );
};
