import type { ReadFirm } from '@broker-transparency/matching';

/** An identifier that two brokers cannot both have. One of them may be a clone. */
export interface SharedIdentifier {
  readonly field: 'lei' | 'number' | 'domain';
  readonly value: string;
  /** Regulator of the number. */
  readonly regulator?: string;
  /** Two or more, in order. */
  readonly brokers: readonly string[];
}

const listIdentifiers = ({ leis, numbers, domains }: ReadFirm): Omit<SharedIdentifier, 'brokers'>[] => [
  ...leis.map((value) => ({ field: 'lei' as const, value })),
  ...numbers.map(({ register: regulator, number }) => ({ field: 'number' as const, value: number, regulator })),
  ...domains.map(({ registered }) => ({ field: 'domain' as const, value: registered })),
];

/** Returns the LEIs, licence numbers and domains that more than one broker has. */
export const findSharedIdentifiers = (brokers: Iterable<readonly [string, ReadFirm]>): SharedIdentifier[] => {
  const holders = new Map<
    string,
    { readonly what: Omit<SharedIdentifier, 'brokers'>; readonly brokers: Set<string> }
  >();
  for (const [broker, firm] of brokers)
    for (const what of listIdentifiers(firm)) {
      const key = `${what.field} ${what.regulator ?? ''} ${what.value}`;
      const known = holders.get(key);
      if (known) known.brokers.add(broker);
      else holders.set(key, { what, brokers: new Set([broker]) });
    }
  return [...holders]
    .filter(([, { brokers: all }]) => all.size > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { what, brokers: all }]) => ({ ...what, brokers: [...all].sort() }));
};
