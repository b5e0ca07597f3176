import { explainDrift } from './clock-drift.rule.ts';
import { DomainError } from './domain-error.ts';
import { type Db, database } from './mongo.ts';

/** Returns how many seconds this machine's clock is ahead of the database's; below zero: behind. `CLOCK` does not count. */
export const readDrift = async (db: Db): Promise<number> => {
  const sent = Date.now();
  const { localTime } = await database(db).command({ hello: 1 });
  return ((sent + Date.now()) / 2 - localTime.getTime()) / 1000;
};

/** @throws DomainError failed if this machine and the database do not agree about the time */
export const requireRightClock = async (db: Db): Promise<void> => {
  const fault = explainDrift(await readDrift(db));
  if (fault !== undefined) throw new DomainError('failed', fault);
};
