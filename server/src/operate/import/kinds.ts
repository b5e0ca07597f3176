import type * as z from 'zod';
import { importBrokersIn } from '../../features/brokers/actions.ts';
import { knownSlugs } from '../../features/brokers/facts.ts';
import { BrokerRecord, creditBroker } from '../../features/brokers/record.rule.ts';
import { importNewsIn } from '../../features/news/actions.ts';
import { NewsRecord, newsId } from '../../features/news/record.rule.ts';
import { importRegulatorsIn } from '../../features/regulators/actions.ts';
import { tiersByCode } from '../../features/regulators/facts.ts';
import { RegulatorRecord } from '../../features/regulators/record.rule.ts';
import type { BulkWrite, TxContext } from '../../platform/context.ts';
import type { StateKind } from './store.ts';

/** A column whose value is the key of another record. */
export interface Reference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** A kind of record that can be imported. */
export interface Kind<T, S = object> {
  readonly schema: z.ZodType<T>;
  /** The key by which a row replaces an earlier record. */
  readonly key: (record: T) => string;
  readonly references: (record: T) => Reference[];
  /** Adds the attribution to the record. Returns undefined if the record has no field for it. */
  readonly credit?: (record: T, credit: string, sourceUrl: string | null) => T | undefined;
  readonly write: (c: TxContext, records: readonly T[], bulk: BulkWrite<S>) => Promise<void>;
  /** How runs store the replaced state, and under which key. */
  readonly state: StateKind;
  readonly stateKey: (record: T) => string;
}

/** Erases the state type: each kind only receives states that its own keeper read. */
const kind = <T, S>(definition: Kind<T, S>): Kind<T> => definition as unknown as Kind<T>;

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
    credit: creditBroker,
    write: importBrokersIn,
    state: 'brokers',
    stateKey: (broker) => broker.slug,
  }),
  regulators: kind({
    schema: RegulatorRecord,
    key: (regulator) => regulator.code,
    references: () => [],
    write: importRegulatorsIn,
    state: 'regulators',
    stateKey: (regulator) => regulator.code,
  }),
  news: kind({
    schema: NewsRecord,
    key: (item) => item.url,
    references: ({ brokerSlugs, regulatorCodes }) => [
      ...brokerSlugs.map((key, index) => ({ to: 'broker' as const, key, column: `brokerSlugs.${index}` })),
      ...regulatorCodes.map((key, index) => ({ to: 'regulator' as const, key, column: `regulatorCodes.${index}` })),
    ],
    write: importNewsIn,
    state: 'news',
    stateKey: (item) => newsId(item.url),
  }),
};
export type KindName = keyof typeof KINDS;

/** Returns the references to records that do not exist. */
export const danglingReferences = async (references: readonly Reference[]): Promise<Set<Reference>> => {
  const keys = (to: Reference['to']) => references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([knownSlugs([...new Set(keys('broker'))]), tiersByCode()]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
