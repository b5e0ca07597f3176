import { createHash } from 'node:crypto';
import { findSharedIdentifiers, nameParts, readFirm, type SharedIdentifier } from '@broker-transparency/matching';
import type { MatchableBroker } from './match.rule.ts';

/** What two brokers must not have in common. */
export const ALARMS = {
  number: 'several brokers have one licence number at one regulator',
  lei: 'several brokers have one LEI',
  domain: 'several brokers have one domain',
} as const satisfies Record<SharedIdentifier['field'], string>;
export type AlarmKind = keyof typeof ALARMS;

/** Several brokers with something that only one can have. */
export interface Alarm {
  /** Follows from what is shared and by whom: with one more broker it is another alarm. */
  readonly _id: string;
  readonly kind: AlarmKind;
  /** The regulator whose number it is, which wants to know of a clone. */
  readonly regulator: string | null;
  readonly value: string;
  /** Keys of the brokers. */
  readonly brokers: readonly string[];
  /** Whether firms of different names state it: one of them uses what belongs to another. */
  readonly isClone: boolean;
}

const toAlarmId = ({ field, regulator, value, brokers }: SharedIdentifier): string =>
  `${field}-${createHash('sha256')
    .update(JSON.stringify([field, regulator ?? null, value, brokers]))
    .digest('hex')
    .slice(0, 12)}`;

/** Returns the firms that state something as a broker's: of a number its holders, of the rest all entities. */
const listHolders = (
  { field, regulator }: SharedIdentifier,
  { legalNames, licenses }: MatchableBroker,
): Set<string> => {
  const holders =
    field === 'number' ? licenses.filter((one) => one.regulator === regulator).map((one) => one.holder) : [];
  return new Set((holders.length > 0 ? holders : legalNames).map((name) => nameParts(name).compact));
};

/** Returns whether no firm is common to all brokers. */
const areStrangers = (shared: SharedIdentifier, brokers: ReadonlyMap<string, MatchableBroker>): boolean => {
  const [first, ...others] = shared.brokers.map((key) => listHolders(shared, brokers.get(key) as MatchableBroker));
  return others.some((names) => ![...names].some((name) => first?.has(name)));
};

/** Names take long to read, and are no part of it. */
const readIdentifiers = ({ leis, domains, licenses }: MatchableBroker) =>
  readFirm({ names: [], leis, domains, numbers: licenses });

/** Returns the alarms that these brokers raise. Brokers that ceased count: a clone may use what is theirs. */
export const findAlarms = (all: readonly MatchableBroker[]): Alarm[] => {
  const brokers = new Map(all.map((broker) => [broker.key, broker]));
  return findSharedIdentifiers(all.map((broker) => [broker.key, readIdentifiers(broker)] as const)).map((shared) => ({
    _id: toAlarmId(shared),
    kind: shared.field,
    regulator: shared.regulator ?? null,
    value: shared.value,
    brokers: shared.brokers,
    isClone: areStrangers(shared, brokers),
  }));
};
