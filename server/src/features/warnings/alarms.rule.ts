import { createHash } from 'node:crypto';
import { type Comparison, type MatchableBroker, plainNumber } from './match.rule.ts';

/** What two brokers must not have in common. */
export const ALARMS = {
  license_number: 'several brokers have one licence number at one regulator',
  lei: 'several brokers have one LEI',
  domain: 'several brokers have one domain',
} as const;
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

/** A broker with something by which it is known, and the firm to whom that belongs as the broker has it. */
interface Stated {
  readonly broker: string;
  readonly holders: readonly string[];
}

const idOf = (kind: AlarmKind, value: string, brokers: readonly string[]): string =>
  `${kind.slice(0, 3)}-${createHash('sha256')
    .update(JSON.stringify([kind, value, brokers]))
    .digest('hex')
    .slice(0, 12)}`;

/** Returns whether no firm name is common to all. */
const areStrangers = (stated: readonly Stated[], { nameKey }: Comparison): boolean => {
  const [first, ...others] = stated.map(({ holders }) => new Set(holders.map(nameKey)));
  return others.some((names) => ![...names].some((name) => first?.has(name)));
};

const collected = (brokers: readonly MatchableBroker[], comparison: Comparison) => {
  const shared = new Map<string, { kind: AlarmKind; regulator: string | null; value: string; stated: Stated[] }>();
  const add = (kind: AlarmKind, regulator: string | null, value: string, stated: Stated): void => {
    const key = JSON.stringify([kind, regulator, value]);
    const known = shared.get(key) ?? { kind, regulator, value, stated: [] };
    if (!known.stated.some(({ broker }) => broker === stated.broker)) known.stated.push(stated);
    shared.set(key, known);
  };
  for (const { key: broker, leis, licenses, domains, names } of brokers) {
    for (const lei of leis) add('lei', null, lei, { broker, holders: names });
    for (const { regulator, number, holder } of licenses) {
      const plain = plainNumber(number);
      if (plain !== '') add('license_number', regulator, plain, { broker, holders: [holder] });
    }
    for (const address of domains) {
      const domain = comparison.domainOf(address);
      if (domain !== undefined) add('domain', null, domain, { broker, holders: names });
    }
  }
  return [...shared.values()].filter(({ stated }) => stated.length > 1);
};

/** Returns the alarms that these brokers raise. Brokers that ceased count: a clone may use what is theirs. */
export const alarmsOf = (brokers: readonly MatchableBroker[], comparison: Comparison): Alarm[] =>
  collected(brokers, comparison)
    .map(({ kind, regulator, value, stated }): Alarm => {
      const keys = stated.map(({ broker }) => broker).sort();
      const scope = regulator === null ? value : `${regulator} ${value}`;
      return {
        _id: idOf(kind, scope, keys),
        kind,
        regulator,
        value,
        brokers: keys,
        isClone: areStrangers(stated, comparison),
      };
    })
    .sort((a, b) => (a._id < b._id ? -1 : 1));
