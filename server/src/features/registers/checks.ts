import { type CheckReading, FAILING } from '../../ledger/checks.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import { listRegisters } from './actions.ts';

/** Names the published lists that brought no good file for some time. */
export const readFailures = async (db: Db): Promise<CheckReading> => ({
  named: (await listRegisters(db))
    .filter(({ failures }) => failures >= FAILING)
    .map(({ _id, lastError }) => `${_id}: ${lastError}`),
});

/** Names the published lists with changes that wait for a person. */
export const readWaits = async (db: Db): Promise<CheckReading> => {
  const waiting = (await listRegisters(db)).flatMap(({ _id, waits }) => (waits ? [{ name: _id, ...waits }] : []));
  const [oldest] = waiting.map(({ since }) => since).sort((a, b) => a.getTime() - b.getTime());
  return { named: waiting.map(({ name, why }) => `${name}: ${why}`), since: oldest };
};
