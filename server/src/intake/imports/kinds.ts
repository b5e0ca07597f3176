import type * as z from 'zod';
import {
  findBrokerChanges,
  importBrokersIn,
  isBrokerChanged,
  type PlannedBroker,
  planBroker,
  toStoredBroker,
} from '../../features/brokers/actions.ts';
import { filterKnownSlugs } from '../../features/brokers/facts.ts';
import { type KnownBroker, readKnownBrokers } from '../../features/brokers/known.ts';
import { BrokerRecord, type Credit, creditBroker, listForeignColumns } from '../../features/brokers/record.rule.ts';
import type { StoredComplaint } from '../../features/complaints/actions.ts';
import { ComplaintRecord } from '../../features/complaints/imported.rule.ts';
import {
  createComplaintCheck,
  importComplaintsIn,
  readImportedComplaints,
} from '../../features/complaints/imported.ts';
import {
  findNewsChanges,
  importNewsIn,
  readNewsStates,
  reserveImported,
  storedNews,
} from '../../features/news/actions.ts';
import { NewsRecord, newsId } from '../../features/news/record.rule.ts';
import { erasureLookup } from '../../features/people/erased.ts';
import {
  findRegulatorChanges,
  importRegulatorsIn,
  type KnownRegulator,
  type PlannedRegulator,
  planRegulator,
  readKnownRegulators,
  toStoredRegulator,
} from '../../features/regulators/actions.ts';
import { readTiers } from '../../features/regulators/facts.ts';
import { RegulatorRecord } from '../../features/regulators/record.rule.ts';
import type { ReviewDocument } from '../../features/reviews/actions.ts';
import { createReviewCheck } from '../../features/reviews/import-check.ts';
import { ReviewRecord } from '../../features/reviews/imported.rule.ts';
import { importReviewsIn, readImportedReviews } from '../../features/reviews/imported.ts';
import type { FieldChange } from '../../ledger/audit/fields.rule.ts';
import type { TxContext } from '../../ledger/context.ts';
import type {
  KnownSubject,
  PlannedStatement,
  StatementContext,
  StatementRow,
  WriteCause,
} from '../../ledger/statements/record.ts';
import {
  type ContestedFact,
  isSame,
  listRanked,
  type StatementSource,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { previewScores, type ScoreChange } from '../../published/brokers/preview.ts';
import { captureNew, captureReplaced } from './states.ts';
import type { BatchItem } from './store.ts';

/** A column whose value is the key of another record. */
export interface RecordReference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** Effect of a row. */
export interface ImportPlan {
  readonly change: 'new' | 'changed' | 'unchanged';
  /** True if there is something to write; a new statement need not change the published facts. */
  readonly writes: boolean;
  /** Returns the public changes. Empty for a new record: all its fields are new. */
  readonly fields: () => FieldChange[];
  /** Facts of the row that a stronger source contradicts. */
  readonly overruled: readonly ContestedFact[];
}

/** A row with the stored state of its record. */
interface InspectedRow<T, K> {
  readonly line: number;
  readonly record: T;
  readonly known: K | undefined;
}

/** A fault of a row. */
interface RowFault {
  readonly line: number;
  readonly column: string;
  readonly detail: string;
}

/** Run, batch and reason of written rows. */
type ImportCause = WriteCause & { readonly reason: string };

/** A kind of record that can be imported. `K` is the stored state of a record, `P` the effect of a row. */
export interface ImportKind<T, K = unknown, P extends ImportPlan = ImportPlan> {
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** Name of such a record in faults. */
  readonly noun: string;
  /** Column with the key of the row's record. */
  readonly keyColumn: string;
  /** Returns the storage key of a row's record. */
  readonly key: (record: T, known: K | undefined) => string;
  /** Returns the reason why no row can be about this record; undefined if one can. */
  readonly refuse?: (known: K | undefined) => string | undefined;
  readonly references: (record: T) => RecordReference[];
  /** Returns the columns of a record that only a register, an authority or an editor can state, for another source. */
  readonly listForeign?: (record: T, source: StatementSource) => readonly string[];
  /** Adds the attribution to the record. Returns undefined if the record has no place for it. */
  readonly credit?: (record: T, credit: Credit) => T | undefined;
  /** Reads the stored states of records by key, in the form of `storedKey`. */
  readonly read: (keys: readonly string[], tx: Tx) => Promise<ReadonlyMap<string, K>>;
  readonly storedKey: (key: string) => string;
  /** Returns the stored state as a row with these fields; empty for a new record. */
  readonly stored: (known: K | undefined, given: ReadonlySet<string>, source: StatementSource) => object;
  readonly isNew: (known: K | undefined) => boolean;
  /**
   * Returns the claim of the strongest other source about a field. It is published once this source takes its claim
   * back.
   */
  readonly elsewhere?: (known: K | undefined, field: string, source: StatementSource) => unknown;
  /** Alternative to stating the right value of a field that every record needs. */
  readonly instead?: string;
  /** Computes the effect of a row. Writes nothing. */
  readonly plan: (row: StatementRow<T>, known: K | undefined, from: StatementContext) => P;
  /** Writes rows. Returns the former states of records that do not consist of statements. */
  readonly write: (c: TxContext, plans: readonly P[], occasion: ImportCause) => Promise<readonly BatchItem[]>;
  /** Returns a function that finds faults of rows beyond their form. */
  readonly inspect?: (
    db: Db,
  ) => (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date) => Promise<readonly RowFault[]>;
  /** Called for unchanged records, if an import of an unchanged record has an effect. */
  readonly confirm?: (c: TxContext, records: readonly T[]) => Promise<void>;
  /** Returns the scores before and after these plans, by key. Writes nothing. */
  readonly scores?: (db: Db, plans: readonly P[], now: Date) => Promise<ReadonlyMap<string, ScoreChange>>;
}

/** Returns the key of a record as stated in its row. */
export const toGivenKey = <T>({ keyColumn }: ImportKind<T>, record: T): string =>
  String((record as Record<string, unknown>)[keyColumn]);

/** Erases the types: each kind only receives what its own `read` and `plan` returned. */
const defineKind = <T, K, P extends ImportPlan>(definition: ImportKind<T, K, P>): ImportKind<T> =>
  definition as unknown as ImportKind<T>;

/** Returns the claim of the strongest other source about a field. */
const findOtherClaim = (known: KnownSubject<object> | undefined, field: string, source: StatementSource): unknown =>
  known && listRanked(known.candidates, field).find((one) => sourceKey(one.source) !== sourceKey(source))?.value;

/** Returns the effect of a row of statements. */
const toPlan = <S>(planned: PlannedStatement<S>, isChanged: boolean, fields: () => FieldChange[]) => {
  const { known, draft, overruled } = planned;
  const change: ImportPlan['change'] = known.state === null ? 'new' : isChanged ? 'changed' : 'unchanged';
  return { planned, change, writes: draft !== undefined, fields: change === 'changed' ? fields : () => [], overruled };
};

const toBrokerReferences = ({ broker }: { readonly broker: string }): RecordReference[] => [
  { to: 'broker', key: broker, column: 'broker' },
];

/** Returns the effect of a row written by a person: existing records stay unchanged. */
const planNewOnly = <T>({ record }: StatementRow<T>, known: unknown): ImportPlan & { readonly record: T } => {
  const change = known === undefined ? 'new' : 'unchanged';
  return { record, change, writes: change === 'new', fields: () => [], overruled: [] };
};

/** Adds to a check that erased persons do not return: texts from before an erasure stay erased. */
const createPersonalCheck =
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
  brokers: defineKind<BrokerRecord, KnownBroker, ImportPlan & { readonly planned: PlannedBroker }>({
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
    listForeign: ({ licenses = [] }, source) => listForeignColumns(licenses, source),
    credit: creditBroker,
    read: readKnownBrokers,
    storedKey: (slug) => slug,
    stored: (known, given, source) => (known ? toStoredBroker(known, given, source) : {}),
    isNew: (known) => !known?.state,
    elsewhere: findOtherClaim,
    instead: 'or overrule who says a wrong one (fact overrule)',
    plan: (row, known, from) => {
      const planned = planBroker(row, known as KnownBroker, from);
      return toPlan(planned, isBrokerChanged(planned), () => findBrokerChanges(planned));
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
  regulators: defineKind<RegulatorRecord, KnownRegulator, ImportPlan & { readonly planned: PlannedRegulator }>({
    schema: RegulatorRecord,
    noun: 'regulator',
    keyColumn: 'code',
    key: (regulator) => regulator.code,
    references: () => [],
    read: readKnownRegulators,
    storedKey: (code) => code,
    stored: (known, _, source) => (known ? toStoredRegulator(known, source) : {}),
    isNew: (known) => !known?.state,
    elsewhere: findOtherClaim,
    plan: (row, known, from) => {
      const planned = planRegulator(row, known as KnownRegulator, from);
      return toPlan(planned, !isSame(planned.known.state, planned.after), () => findRegulatorChanges(planned));
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
  news: defineKind<
    NewsRecord,
    NewsState,
    ImportPlan & { readonly record: NewsRecord; readonly known: NewsState | undefined }
  >({
    schema: NewsRecord,
    noun: 'news item',
    keyColumn: 'url',
    key: (item) => item.url,
    references: ({ brokerSlugs, regulatorCodes }) => [
      ...brokerSlugs.map((key, index) => ({ to: 'broker' as const, key, column: `brokerSlugs.${index}` })),
      ...regulatorCodes.map((key, index) => ({ to: 'regulator' as const, key, column: `regulatorCodes.${index}` })),
    ],
    read: readNewsStates,
    storedKey: newsId,
    stored: (known) => (known ? storedNews(known) : {}),
    isNew: (known) => known === undefined,
    plan: ({ record }, known) => {
      const fields = findNewsChanges(record, known);
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
    confirm: reserveImported,
  }),
  reviews: defineKind<ReviewRecord, ReviewDocument, ImportPlan & { readonly record: ReviewRecord }>({
    schema: ReviewRecord,
    noun: 'review',
    keyColumn: 'reference',
    key: ({ reference }) => reference,
    references: toBrokerReferences,
    read: readImportedReviews,
    storedKey: (reference) => reference,
    stored: () => ({}),
    isNew: (known) => known === undefined,
    inspect: createPersonalCheck(({ author }) => ['author.subject', author.subject], createReviewCheck),
    plan: planNewOnly,
    write: async (c, plans, { reason }) => {
      const records = plans.map(({ record }) => record);
      return captureNew('reviews', await importReviewsIn(c, records, reason), c.tx);
    },
  }),
  complaints: defineKind<ComplaintRecord, StoredComplaint, ImportPlan & { readonly record: ComplaintRecord }>({
    schema: ComplaintRecord,
    noun: 'complaint',
    keyColumn: 'reference',
    key: ({ reference }) => reference,
    references: toBrokerReferences,
    read: readImportedComplaints,
    storedKey: (reference) => reference,
    stored: () => ({}),
    isNew: (known) => known === undefined,
    inspect: createPersonalCheck(
      ({ complainant }) => ['complainant.subject', complainant.subject],
      createComplaintCheck,
    ),
    plan: planNewOnly,
    write: async (c, plans, { reason }) => {
      const records = plans.map(({ record }) => record);
      return captureNew('complaints', await importComplaintsIn(c, records, reason), c.tx);
    },
  }),
};
export type KindName = keyof typeof KINDS;

type NewsState = Awaited<ReturnType<typeof readNewsStates>> extends ReadonlyMap<string, infer S> ? S : never;

/** Writes news items. Returns what they replaced. */
export const writeNews = (
  c: TxContext,
  items: readonly { readonly record: NewsRecord; readonly known: NewsState | undefined }[],
  reason: string,
): Promise<BatchItem[]> => {
  const records = items.map(({ record }) => record);
  const before = new Map(items.flatMap(({ record, known }) => (known ? [[newsId(record.url), known] as const] : [])));
  const write = () => importNewsIn(c, records, { reason, states: before });
  return captureReplaced({ kind: 'news', keys: records.map(({ url }) => newsId(url)), before }, write, c.tx);
};

/** Returns the references to records that do not exist. */
export const findDanglingReferences = async (
  db: Db,
  references: readonly RecordReference[],
): Promise<Set<RecordReference>> => {
  const listKeys = (to: RecordReference['to']) =>
    references.filter((reference) => reference.to === to).map(({ key }) => key);
  const [slugs, tiers] = await Promise.all([filterKnownSlugs(db, [...new Set(listKeys('broker'))]), readTiers(db)]);
  return new Set(references.filter(({ to, key }) => !(to === 'broker' ? slugs : tiers).has(key)));
};
