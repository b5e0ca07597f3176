import { nameParts, readFirm } from '@broker-transparency/matching';
import { hashToHex } from '../../platform/sha256.rule.ts';
import type { MatchableBroker } from './match.rule.ts';
import { toRegisterNumbers } from './match.rule.ts';
import { findSharedIdentifiers, type SharedIdentifier } from './shared.rule.ts';

/** The kinds of identifiers that two brokers must not share. */
export const ALARMS = {
  number: 'several brokers have one licence number at one regulator',
  lei: 'several brokers have one LEI',
  domain: 'several brokers have one domain',
} as const satisfies Record<SharedIdentifier['field'], string>;
export type AlarmKind = keyof typeof ALARMS;

/** Several brokers with an identifier that only one can have. */
export interface Alarm {
  /** Id, derived from the shared identifier and its brokers: one more broker makes another alarm. */
  readonly _id: string;
  readonly kind: AlarmKind;
  /** The regulator of the licence number, to be told of a clone. */
  readonly regulator: string | null;
  readonly value: string;
  /** Keys of the brokers. */
  readonly brokers: readonly string[];
  /** True if firms of different names state the identifier, so that one of them uses another's. */
  readonly isClone: boolean;
}

const toAlarmId = ({ field, regulator, value, brokers }: SharedIdentifier): string =>
  `${field}-${hashToHex(JSON.stringify([field, regulator ?? null, value, brokers])).slice(0, 12)}`;

/** Returns the firms that state an identifier: the holders of a licence number, or else all entities. */
const listHolders = (
  { field, regulator }: SharedIdentifier,
  { legalNames, licenses }: MatchableBroker,
): Set<string> => {
  const holders =
    field === 'number' ? licenses.filter((one) => one.regulator === regulator).map((one) => one.holder) : [];
  return new Set((holders.length > 0 ? holders : legalNames).map((name) => nameParts(name).compact));
};

/** Returns true if the brokers have no firm in common. */
const areStrangers = (shared: SharedIdentifier, brokers: ReadonlyMap<string, MatchableBroker>): boolean => {
  const [first, ...others] = shared.brokers.map((key) => listHolders(shared, brokers.get(key) as MatchableBroker));
  return others.some((names) => ![...names].some((name) => first?.has(name)));
};

/** Reads a broker's identifiers without its names, which take long and are not compared. */
const readIdentifiers = ({ leis, domains, licenses }: MatchableBroker) =>
  readFirm({ names: [], leis, domains, numbers: toRegisterNumbers(licenses) });

/**
 * Returns the alarms that these brokers raise. Includes brokers that have ceased, since a clone may use their
 * identifiers.
 */
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
