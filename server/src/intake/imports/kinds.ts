import type * as z from 'zod';
import {
  brokerChanges,
  changesBroker,
  importBrokersIn,
  type PlannedBroker,
  planBroker,
  storedBroker,
} from '../../features/brokers/actions.ts';
import { knownSlugs } from '../../features/brokers/facts.ts';
import { type KnownBroker, knownBrokers } from '../../features/brokers/known.ts';
import { BrokerRecord, type Credit, creditBroker } from '../../features/brokers/record.rule.ts';
import type { StoredComplaint } from '../../features/complaints/actions.ts';
import { ComplaintRecord } from '../../features/complaints/imported.rule.ts';
import { complaintImportCheck, importComplaintsIn, importedComplaints } from '../../features/complaints/imported.ts';
import { importNewsIn, keepImported, newsChanges, newsStates, storedNews } from '../../features/news/actions.ts';
import { NewsRecord, newsId } from '../../features/news/record.rule.ts';
import { erasureLookup } from '../../features/people/erased.ts';
import {
  importRegulatorsIn,
  type KnownRegulator,
  knownRegulators,
  type PlannedRegulator,
  planRegulator,
  regulatorChanges,
  storedRegulator,
} from '../../features/regulators/actions.ts';
import { tiersByCode } from '../../features/regulators/facts.ts';
import { RegulatorRecord } from '../../features/regulators/record.rule.ts';
import type { ReviewDocument } from '../../features/reviews/actions.ts';
import { reviewImportCheck } from '../../features/reviews/import-check.ts';
import { ReviewRecord } from '../../features/reviews/imported.rule.ts';
import { importedReviews, importReviewsIn } from '../../features/reviews/imported.ts';
import type { FieldChange } from '../../ledger/audit/fields.rule.ts';
import type { TxContext } from '../../ledger/context.ts';
import type { Circumstances, Known, Occasion, Planned, StatedRow } from '../../ledger/statements/record.ts';
import { type Contested, isSame, ranked, type Source, sourceKey } from '../../ledger/statements/statement.rule.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { previewScores, type ScoreChange } from '../../published/brokers/preview.ts';
import { brought, replaced } from './states.ts';
import type { BatchItem } from './store.ts';

/** A column whose value is the key of another record. */
export interface Reference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** What a row would do. */
export interface Plan {
  readonly change: 'new' | 'changed' | 'unchanged';
  /** Whether there is anything to write: a statement can be new that changes nothing. */
  readonly writes: boolean;
  /** What changes in public. A new record has no list: everything is new. */
  readonly fields: () => FieldChange[];
  /** What the row says and a stronger source denies. */
  readonly overruled: readonly Contested[];
}

/** A row with what is known of its record. */
interface InspectedRow<T, K> {
  readonly line: number;
  readonly record: T;
  readonly known: K | undefined;
}

/** What is wrong with a row. */
interface RowFault {
  readonly line: number;
  readonly column: string;
  readonly detail: string;
}

/** Why and in which part of which run rows are written. */
type WriteOccasion = Occasion & { readonly reason: string };

/** A kind of record that can be imported. `K` is what is known of a record, `P` what a row would do to it. */
export interface Kind<T, K = unknown, P extends Plan = Plan> {
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** What a fault calls such a record. */
  readonly noun: string;
  /** The column that names the record which a row is about. */
  readonly keyColumn: string;
  /** The key by which a row's record is stored, given what is known of it. */
  readonly key: (record: T, known: K | undefined) => string;
  /** Returns why no row can be about what is known; undefined if one can. */
  readonly refuse?: (known: K | undefined) => string | undefined;
  readonly references: (record: T) => Reference[];
  /** Adds the attribution to the record. Returns undefined if the record has no place for it. */
  readonly credit?: (record: T, credit: Credit) => T | undefined;
  /** Reads what is known of records under these keys: those of their key column, as `storedKey` makes them. */
  readonly read: (keys: readonly string[], tx: Tx) => Promise<ReadonlyMap<string, K>>;
  readonly storedKey: (key: string) => string;
  /** Returns what is known in the form of a row that has these fields; nothing if the record is new. */
  readonly stored: (known: K | undefined, given: ReadonlySet<string>, source: Source) => object;
  readonly isNew: (known: K | undefined) => boolean;
  /** Returns what the strongest other source says of a field, which is published once this one takes it back. */
  readonly elsewhere?: (known: K | undefined, field: string, source: Source) => unknown;
  /** How else than by the right value a field changes that every record needs. */
  readonly instead?: string;
  /** Finds out what a row would do. Writes nothing. */
  readonly plan: (row: StatedRow<T>, known: K | undefined, from: Circumstances) => P;
  /** Writes rows. Returns what they replaced, of records that are not made of statements. */
  readonly write: (c: TxContext, plans: readonly P[], occasion: WriteOccasion) => Promise<readonly BatchItem[]>;
  /** Begins to look for what is wrong with the rows of a file beyond their form. */
  readonly inspect?: (
    db: Db,
  ) => (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date) => Promise<readonly RowFault[]>;
  /** Called for records that change nothing, if being imported means something by itself. */
  readonly confirm?: (c: TxContext, records: readonly T[]) => Promise<void>;
  /** Returns the scores before and after these plans, by key. Writes nothing. */
  readonly scores?: (db: Db, plans: readonly P[], now: Date) => Promise<ReadonlyMap<string, ScoreChange>>;
}

/** Returns the key of a record as its row has it. */
export const givenKey = <T>({ keyColumn }: Kind<T>, record: T): string =>
  String((record as Record<string, unknown>)[keyColumn]);

/** Erases the types: each kind only receives what its own `read` and `plan` returned. */
const kind = <T, K, P extends Plan>(definition: Kind<T, K, P>): Kind<T> => definition as unknown as Kind<T>;

/** Returns what the strongest other source says of a field. */
const elsewhere = (known: Known<object> | undefined, field: string, source: Source): unknown =>
  known && ranked(known.candidates, field).find((one) => sourceKey(one.source) !== sourceKey(source))?.value;

/** Returns what a row of statements would do. */
const planOf = <S>(planned: Planned<S>, isChanged: boolean, fields: () => FieldChange[]) => {
  const { known, draft, overruled } = planned;
  const change: Plan['change'] = known.state === null ? 'new' : isChanged ? 'changed' : 'unchanged';
  return { planned, change, writes: draft !== undefined, fields: change === 'changed' ? fields : () => [], overruled };
};

const aboutBroker = ({ broker }: { readonly broker: string }): Reference[] => [
  { to: 'broker', key: broker, column: 'broker' },
];

/** What a row about something that people wrote would do: what is there already stays as it is. */
const newOnly = <T>({ record }: StatedRow<T>, known: unknown): Plan & { readonly record: T } => {
  const change = known === undefined ? 'new' : 'unchanged';
  return { record, change, writes: change === 'new', fields: () => [], overruled: [] };
};

/** Adds to a check that nobody comes back who was erased: what was written before an erasure stays erased. */
const personalCheck =
  <T extends { readonly createdAt: string }, K>(
    personOf: (record: T) => readonly [column: string, subject: string],
    check: (db: Db) => (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date) => Promise<readonly RowFault[]>,
  ) =>
  (db: Db) => {
    const [erasedAt, inspect] = [erasureLookup(db), check(db)];
    return async (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date): Promise<readonly RowFault[]> => {
      const faults = [...(await inspect(rows, tx, now))];
      for (const { line, record } of rows) {
        const [column, subject] = personOf(record);
        const erased = await erasedAt(subject);
        if (erased && new Date(record.createdAt) <= erased) {
          const detail = `The person was erased on ${erased.toISOString().slice(0, 10)}: leave the row out.`;
          faults.push({ line, column, detail });
        }
      }
      return faults;
    };
  };

export const KINDS = {
  brokers: kind<BrokerRecord, KnownBroker, Plan & { readonly planned: PlannedBroker }>({
    schema: BrokerRecord,
    noun: 'broker',
    keyColumn: 'slug',
    key: ({ slug }, known) => known?.subject.name ?? slug,
    refuse: (known) =>
      known?.mergedInto && `It was merged into "${known.mergedInto}": state it there, or split it off: broker split.`,
    references: ({ successor, licenses = [] }) => [
      ...(successor === undefined ? [] : [{ to: 'broker' as const, key: successor, column: 'successor' }]),
      ...licenses.map(({ regulatorCode }, index) => ({
        to: 'regulator' as const,
        key: regulatorCode,
        column: `licenses.${index}.regulatorCode`,
      })),
    ],
    credit: creditBroker,
    read: knownBrokers,
    storedKey: (slug) => slug,
    stored: (known, given, source) => (known ? storedBroker(known, given, source) : {}),
    isNew: (known) => !known?.state,
    elsewhere,
    instead: 'or overrule who says a wrong one (fact overrule)',
    plan: (row, known, from) => {
      const planned = planBroker(row, known as KnownBroker, from);
      return planOf(planned, changesBroker(planned), () => brokerChanges(planned));
    },
    write: async (c, plans, occasion) => {
      await importBrokersIn(
        c,
        plans.map(({ planned }) => planned),
        occasion,
      );
      return [];
    },
    scores: (db, plans, now) =>
      previewScores(
        db,
        plans.map(({ planned }) => planned),
        now,
      ),
  }),
  regulators: kind<RegulatorRecord, KnownRegulator, Plan & { readonly planned: PlannedRegulator }>({
    schema: RegulatorRecord,
    noun: 'regulator',
    keyColumn: 'code',
    key: (regulator) => regulator.code,
    references: () => [],
    read: knownRegulators,
    storedKey: (code) => code,
    stored: (known, _, source) => (known ? storedRegulator(known, source) : {}),
    isNew: (known) => !known?.state,
    elsewhere,
    plan: (row, known, from) => {
      const planned = planRegulator(row, known as KnownRegulator, from);
      return planOf(planned, !isSame(planned.known.state, planned.after), () => regulatorChanges(planned));
    },
    write: async (c, plans, occasion) => {
      await importRegulatorsIn(
        c,
        plans.map(({ planned }) => planned),
        occasion,
      );
      return [];
    },
  }),
  news: kind<NewsRecord, NewsState, Plan & { readonly record: NewsRecord; readonly known: NewsState | undefined }>({
    schema: NewsRecord,
    noun: 'news item',
    keyColumn: 'url',
    key: (item) => item.url,
    references: ({ brokerSlugs, regulatorCodes }) => [
      ...brokerSlugs.map((key, index) => ({ to: 'broker' as const, key, column: `brokerSlugs.${index}` })),
      ...regulatorCodes.map((key, index) => ({ to: 'regulator' as const, key, column: `regulatorCodes.${index}` })),
    ],
    read: newsStates,
    storedKey: newsId,
    stored: (known) => (known ? storedNews(known) : {}),
    isNew: (known) => known === undefined,
    plan: ({ record }, known) => {
      const fields = newsChanges(record, known);
      const change = known === undefined ? 'new' : fields.length === 0 ? 'unchanged' : 'changed';
      return {
        record,
        known,
        change,
        writes: change !== 'unchanged',
        fields: () => (known ? fields : []),
        overruled: [],
      };
    },
    write: (c, plans, { reason }) => writeNews(c, plans, reason),
    confirm: keepImported,
  }),
  reviews: kind<ReviewRecord, ReviewDocument, Plan & { readonly record: ReviewRecord }>({
    schema: ReviewRecord,
    noun: 'review',
    keyColumn: 'reference',
    key: ({ reference }) => reference,
    references: aboutBroker,
    read: importedReviews,
    storedKey: (reference) => reference,
    stored: () => ({}),
    isNew: (known) => known === undefined,
    inspect: personalCheck(({ author }) => ['author.subject', author.subject], reviewImportCheck),
    plan: newOnly,
    write: async (c, plans, { reason }) => {
      const records = plans.map(({ record }) => record);
      return brought('reviews', await importReviewsIn(c, records, reason), c.tx);
    },
  }),
  complaints: kind<ComplaintRecord, StoredComplaint, Plan & { readonly record: ComplaintRecord }>({
    schema: ComplaintRecord,
    noun: 'complaint',
    keyColumn: 'reference',
    key: ({ reference }) => reference,
    references: aboutBroker,
    read: importedComplaints,
    storedKey: (reference) => reference,
    stored: () => ({}),
    isNew: (known) => known === undefined,
    inspect: personalCheck(({ complainant }) => ['complainant.subject', complainant.subject], complaintImportCheck),
    plan: newOnly,
    write: async (c, plans, { reason }) => {
      const records = plans.map(({ record }) => record);
      return brought('complaints', await importComplaintsIn(c, records, reason), c.tx);
    },
  }),
};
export type KindName = keyof typeof KINDS;

type NewsState = Awaited<ReturnType<typeof newsStates>> extends ReadonlyMap<string, infer S> ? S : never;

/** Writes news items. Returns what they replaced. */
export const writeNews = (
  c: TxContext,
  items: readonly { readonly record: NewsRecord; readonly known: NewsState | undefined }[],
  reason: string,
): Promise<BatchItem[]> => {
  const records = items.map(({ record }) => record);
  const before = new Map(items.flatMap(({ record, known }) => (known ? [[newsId(record.url), known] as const] : [])));
  const write = () => importNewsIn(c, records, { reason, states: before });
  return replaced({ kind: 'news', keys: records.map(({ url }) => newsId(url)), before }, write, c.tx);
};

/** Returns the references to records that do not exist. */
export const danglingReferences = async (db: Db, references: readonly Reference[]): Promise<Set<Reference>> => {
  const keys = (to: Reference['to']) => references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([knownSlugs(db, [...new Set(keys('broker'))]), tiersByCode(db)]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
