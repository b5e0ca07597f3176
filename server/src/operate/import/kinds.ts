import type * as z from 'zod';
import { brokerChanges, importBrokersIn, storedBroker } from '../../features/brokers/actions.ts';
import { knownSlugs } from '../../features/brokers/facts.ts';
import { BrokerRecord, type Credit, creditBroker } from '../../features/brokers/record.rule.ts';
import { importNewsIn, keepImported, newsChanges, storedNews } from '../../features/news/actions.ts';
import { NewsRecord, newsId } from '../../features/news/record.rule.ts';
import { importRegulatorsIn, regulatorChanges, storedRegulator } from '../../features/regulators/actions.ts';
import { tiersByCode } from '../../features/regulators/facts.ts';
import { RegulatorRecord } from '../../features/regulators/record.rule.ts';
import type { FieldChange } from '../../platform/audit/fields.rule.ts';
import type { BulkWrite, TxContext } from '../../platform/context.ts';
import { previewScores, type ScoreChange } from '../../published/brokers/preview.ts';
import type { StateKind } from './store.ts';

/** A column whose value is the key of another record. */
export interface Reference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** A kind of record that can be imported. */
export interface Kind<T, S = object> {
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** The column that names the record which a row is about. */
  readonly keyColumn: string;
  /** The key by which a row is found again. */
  readonly key: (record: T) => string;
  readonly references: (record: T) => Reference[];
  /** Adds the attribution to the record. Returns undefined if the record has no place for it. */
  readonly credit?: (record: T, credit: Credit) => T | undefined;
  readonly write: (c: TxContext, records: readonly T[], bulk: BulkWrite<S>) => Promise<void>;
  /** How runs store the replaced state, and under which key: that of the row's key column. */
  readonly state: StateKind;
  readonly stateKey: (key: string) => string;
  /** Returns a stored state in the form of a row that has these fields. */
  readonly stored: (state: S, given: ReadonlySet<string>) => object;
  /** Returns the fields that the record changes; none if everything is stored as it says. */
  readonly changes: (record: T, state: S | undefined) => FieldChange[];
  /** Called for records that change nothing, if being imported means something by itself. */
  readonly confirm?: (c: TxContext, records: readonly T[]) => Promise<void>;
  /** Returns the scores before and after an import of these records, by key. Writes nothing. */
  readonly scores?: (records: readonly T[], now: Date) => Promise<ReadonlyMap<string, ScoreChange>>;
}

/** Erases the state type: each kind only receives states that its own keeper read. */
const kind = <T, S>(definition: Kind<T, S>): Kind<T> => definition as unknown as Kind<T>;

export const KINDS = {
  brokers: kind({
    schema: BrokerRecord,
    keyColumn: 'slug',
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
    stateKey: (slug) => slug,
    stored: storedBroker,
    changes: brokerChanges,
    scores: previewScores,
  }),
  regulators: kind({
    schema: RegulatorRecord,
    keyColumn: 'code',
    key: (regulator) => regulator.code,
    references: () => [],
    write: importRegulatorsIn,
    state: 'regulators',
    stateKey: (code) => code,
    stored: storedRegulator,
    changes: regulatorChanges,
  }),
  news: kind({
    schema: NewsRecord,
    keyColumn: 'url',
    key: (item) => item.url,
    references: ({ brokerSlugs, regulatorCodes }) => [
      ...brokerSlugs.map((key, index) => ({ to: 'broker' as const, key, column: `brokerSlugs.${index}` })),
      ...regulatorCodes.map((key, index) => ({ to: 'regulator' as const, key, column: `regulatorCodes.${index}` })),
    ],
    write: importNewsIn,
    state: 'news',
    stateKey: newsId,
    stored: storedNews,
    changes: newsChanges,
    confirm: keepImported,
  }),
};
export type KindName = keyof typeof KINDS;

/** Returns the references to records that do not exist. */
export const danglingReferences = async (references: readonly Reference[]): Promise<Set<Reference>> => {
  const keys = (to: Reference['to']) => references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([knownSlugs([...new Set(keys('broker'))]), tiersByCode()]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
