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

/** Names another record, at a place of a row. */
export interface Reference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** Something that can be imported. */
export interface Kind<T, S = object> {
  readonly schema: z.ZodType<T>;
  /** What a row is found again by. */
  readonly key: (record: T) => string;
  readonly references: (record: T) => Reference[];
  /** Says, in the record itself, whom the data asks to be named. Undefined: the record has no place for it. */
  readonly credit?: (record: T, credit: string, sourceUrl: string | null) => T | undefined;
  readonly write: (c: TxContext, records: readonly T[], bulk: BulkWrite<S>) => Promise<void>;
  /** How runs keep what is replaced, and the key of a record there. */
  readonly state: StateKind;
  readonly stateKey: (record: T) => string;
}

/** Each kind is only ever given the states that its own keeper read. */
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

/** The references that lead nowhere. */
export const danglingReferences = async (references: readonly Reference[]): Promise<Set<Reference>> => {
  const keys = (to: Reference['to']) => references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([knownSlugs([...new Set(keys('broker'))]), tiersByCode()]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
