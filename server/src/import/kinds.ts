import type * as z from 'zod';
import { importBrokers } from '../brokers/actions.ts';
import { knownSlugs } from '../brokers/facts.ts';
import { BrokerRecord } from '../brokers/record.ts';
import type { Context } from '../context.ts';
import { importNews } from '../news/actions.ts';
import { NewsRecord } from '../news/record.ts';
import { importRegulators } from '../regulators/actions.ts';
import { tiersByCode } from '../regulators/facts.ts';
import { RegulatorRecord } from '../regulators/record.ts';

/** Names another record, at a place of a row. */
export interface Reference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** Something that can be imported. */
export interface Kind<T> {
  readonly schema: z.ZodType<T>;
  /** What a row is found again by. */
  readonly key: (record: T) => string;
  readonly references: (record: T) => Reference[];
  readonly write: (context: Context, records: readonly T[]) => Promise<void>;
}

const kind = <T>(definition: Kind<T>): Kind<T> => definition;

export const KINDS = {
  brokers: kind({
    schema: BrokerRecord,
    key: (broker) => broker.slug,
    references: ({ licenses = [] }) =>
      licenses.map(({ regulatorCode }, index) => ({
        to: 'regulator',
        key: regulatorCode,
        column: `licenses.${index}.regulatorCode`,
      })),
    write: importBrokers,
  }),
  regulators: kind({
    schema: RegulatorRecord,
    key: (regulator) => regulator.code,
    references: () => [],
    write: importRegulators,
  }),
  news: kind({
    schema: NewsRecord,
    key: (item) => item.url,
    references: ({ brokerSlugs, regulatorCodes }) => [
      ...brokerSlugs.map((key, index) => ({ to: 'broker' as const, key, column: `brokerSlugs.${index}` })),
      ...regulatorCodes.map((key, index) => ({ to: 'regulator' as const, key, column: `regulatorCodes.${index}` })),
    ],
    write: importNews,
  }),
};
export type KindName = keyof typeof KINDS;

/** The references that lead nowhere. */
export const danglingReferences = async (references: readonly Reference[]): Promise<Set<Reference>> => {
  const keys = (to: Reference['to']) => references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([knownSlugs([...new Set(keys('broker'))]), tiersByCode()]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
