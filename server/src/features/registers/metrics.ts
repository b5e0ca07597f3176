import type { ModuleMetrics } from '../../ledger/define-module.ts';
import { watchEach } from '../../platform/observe/state.ts';
import { findVerified } from '../regulators/facts.ts';
import { freshUntil } from '../regulators/staleness.rule.ts';
import { listRegisters } from './actions.ts';

/** Exports the age of the checks of registers, and the state of the files of published lists. */
export const watchRegisters: ModuleMetrics = (db, { database }) => {
  const regulators = watchEach(
    database,
    async () =>
      (await findVerified(db)).flatMap(({ _id, lastVerifiedAt: at }) => (at === null ? [] : [{ code: _id, at }])),
    ({ code }) => ({ regulator: code }),
  );
  regulators(
    'broker_rating_regulator_verified_timestamp_seconds',
    'When the register of the regulator was last looked at, by its file or an editor; missing where it never was.',
    ({ at }) => new Date(at),
  );
  regulators(
    'broker_rating_regulator_stale_timestamp_seconds',
    'From when that look is too old, so that the regulator and its licences count as stale.',
    ({ at, code }) => freshUntil(at, code),
  );
  const lists = watchEach(
    database,
    () => listRegisters(db),
    ({ _id }) => ({ register: _id }),
  );
  lists(
    'broker_rating_register_file_checked_timestamp_seconds',
    'When the publisher of a list last gave its file, or said that it is still the one.',
    ({ checkedAt }) => checkedAt,
  );
  lists(
    'broker_rating_register_file_failures',
    'Attempts in a row that brought no good file of the list; 0 after a success.',
    ({ failures }) => failures,
  );
  lists(
    'broker_rating_register_file_entries',
    'Entries of the last good file of the list.',
    ({ current }) => current?.entries ?? null,
  );
};
