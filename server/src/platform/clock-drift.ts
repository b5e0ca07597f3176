import { explainDrift } from './clock-drift.rule.ts';
import { DomainError } from './domain-error.ts';
import { type Db, database } from './mongo.ts';

/**
 * Returns the seconds by which this machine's clock is ahead of the database's; negative if it is behind. The setting
 * `CLOCK` has no effect.
 */
export const readDrift = async (db: Db): Promise<number> => {
  const sent = Date.now();
  const { localTime } = await database(db).command({ hello: 1 });
  return ((sent + Date.now()) / 2 - localTime.getTime()) / 1000;
};

/** @throws DomainError failed if the clocks of this machine and of the database differ too much */
export const requireRightClock = async (db: Db): Promise<void> => {
  const fault = explainDrift(await readDrift(db));
  if (fault !== undefined) throw new DomainError('failed', fault);
};
